import { Prisma } from '../../prisma/client.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import { labelCounts } from '../issuables/label-counts.ts';
import { builder } from '../kernel/builder.ts';
import { Label } from '../labels/types.ts';
import { mergeRequestsOf } from './visible.ts';

const countsOf = labelCounts(mergeRequestKind, (source, viewer, id) => [
  Prisma.sql`state = 'opened'`,
  ...mergeRequestsOf(source, viewer, id),
]);

builder.objectFields(Label, (t) => ({
  openMergeRequestsCount: t.int({
    description: 'The number of open merge requests with the label that the current user may see.',
    resolve: async (label, _args, ctx) => (await countsOf(label, ctx)).opened,
  }),
}));
