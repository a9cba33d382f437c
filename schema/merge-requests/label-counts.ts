import { Prisma } from '../../prisma/client.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import { labelCounts } from '../issuables/label-counts.ts';
import { builder } from '../kernel/builder.ts';
import { SourceLabel } from '../labels/types.ts';
import { mergeRequestsOf } from './visible.ts';

const countsOf = labelCounts(mergeRequestKind, (source, viewer) => [
  Prisma.sql`state = 'opened'`,
  ...mergeRequestsOf(source, viewer),
]);

builder.objectFields(SourceLabel, (t) => ({
  openMergeRequestsCount: t.int({
    description: 'Open merge requests with it that the viewer may see.',
    resolve: async (label, _args, ctx) => (await countsOf(label, ctx)).opened,
  }),
}));
