import { Admin } from '../administration/types.ts';
import { builder } from '../kernel/builder.ts';
import { publiclyTyped } from '../kernel/public.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { DeadLetterPage } from './types.ts';

const DeadLetterFilter = builder.inputType('DeadLetterFilter', {
  description: 'Which dead letters a listing has: those that match all fields.',
  fields: (t) => ({
    kind: t.string({
      description: 'Only jobs of this kind.',
      extensions: publiclyTyped('BackgroundJobKind'),
    }),
  }),
});

builder.objectField(Admin, 'deadLetters', (t) =>
  t.field({
    type: DeadLetterPage,
    description: 'The background jobs that failed permanently, the newest first.',
    complexity: listingCost,
    args: {
      filter: t.arg({
        type: DeadLetterFilter,
        description: 'Which dead letters the listing has; null for all.',
      }),
      ...pageArgs,
    },
    resolve: (_admin, { filter, ...page }, { db }) => {
      const where = filter?.kind ? { kind: filter.kind } : {};
      return recordPage(
        db.deadLetter,
        { relationLoadStrategy: 'join', where, orderBy: { id: 'desc' } },
        page,
      );
    },
  }),
);
