import { Prisma } from '../../prisma/client.ts';
import { Admin } from '../administration/types.ts';
import { builder } from '../kernel/builder.ts';
import { publiclyTyped } from '../kernel/public.ts';
import { describeModel } from '../listing/described.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { type DeadLetter, DeadLetterPage } from './types.ts';

describeModel('DeadLetter', { computed: { kind: ['kind'] } });

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
    resolve: (_admin, { filter, ...page }, ctx) =>
      pageOfRecords<typeof DeadLetter.$inferType>(ctx, {
        table: 'dead_letters',
        where: filter?.kind ? Prisma.sql`kind = ${filter.kind}` : Prisma.sql`true`,
        column: 'id',
        direction: 'desc',
        page,
      }),
  }),
);
