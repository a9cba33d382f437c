import { Prisma } from '../../prisma/client.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import { labelCounts } from '../issuables/label-counts.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { labelWithin, scopeArgs } from '../labels/scope.ts';
import { Label } from '../labels/types.ts';
import { mergeRequestsOf } from './visible.ts';

const countsOf = labelCounts(mergeRequestKind, (source, viewer, id) => [
  Prisma.sql`state = 'opened'`,
  ...mergeRequestsOf(source, viewer, id),
]);

const countsWithin = async (...[label, args, ctx]: Parameters<typeof labelWithin>) => {
  const within = await labelWithin(label, args, ctx);
  return within && countsOf(within, ctx);
};

builder.objectFields(Label, (t) => ({
  openMergeRequestsCount: t.int({
    description:
      'The number of open merge requests with the label that the current user may see. 0 for a hidden project.',
    args: scopeArgs,
    resolve: async (label, args, ctx) => (await countsWithin(label, args, ctx))?.opened ?? 0,
  }),
  sourceOpenMergeRequestsCount: t.int({
    extensions: internal,
    resolve: async (label, _args, ctx) => (await countsOf(label, ctx)).opened,
  }),
}));
