import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs, rowsOf } from '../kernel/page.ts';
import { administrator } from './policy.ts';
import { DeadLetterPage } from './types.ts';

builder.queryField('deadLetters', (t) =>
  t.field({
    type: DeadLetterPage,
    description: 'Background jobs that were given up, the latest first; administrators.',
    complexity: listingCost,
    args: { kind: t.arg.string({ description: 'Only jobs of this kind.' }), ...pageArgs },
    resolve: (_root, { kind, ...page }, ctx) => {
      administrator(ctx);
      const where = kind == null ? {} : { kind };
      return {
        nodes: (query) =>
          ctx.db.deadLetter.findMany({
            ...query,
            ...rowsOf(page),
            relationLoadStrategy: 'join',
            where,
            orderBy: { id: 'desc' },
          }),
        total: () => ctx.db.deadLetter.count({ where }),
      };
    },
  }),
);
