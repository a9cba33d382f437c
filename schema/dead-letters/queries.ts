import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { administrator } from './policy.ts';
import { DeadLetterPage } from './types.ts';

builder.queryField('deadLetters', (t) =>
  t.field({
    type: DeadLetterPage,
    description: 'Background jobs that failed permanently, the newest first. Administrators only.',
    complexity: listingCost,
    args: {
      kind: t.arg.string({ description: 'Only jobs of this kind, such as `follow-push`.' }),
      ...pageArgs,
    },
    resolve: (_root, { kind, ...page }, ctx) => {
      administrator(ctx);
      const where = kind == null ? {} : { kind };
      return recordPage(
        ctx.db.deadLetter,
        { relationLoadStrategy: 'join', where, orderBy: { id: 'desc' } },
        page,
      );
    },
  }),
);
