import { issueKind } from '../issuables/kinds.ts';
import { labelCounts } from '../issuables/label-counts.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { labelWithin, scopeArgs } from '../labels/scope.ts';
import { Label } from '../labels/types.ts';
import { issuesOf } from './visible.ts';

const countsOf = labelCounts(issueKind, issuesOf);

const countsWithin = async (...[label, args, ctx]: Parameters<typeof labelWithin>) => {
  const within = await labelWithin(label, args, ctx);
  return within && countsOf(within, ctx);
};

builder.objectFields(Label, (t) => ({
  openIssuesCount: t.int({
    description:
      'The number of open issues with the label that the current user may see. 0 for a hidden project.',
    args: scopeArgs,
    resolve: async (label, args, ctx) => (await countsWithin(label, args, ctx))?.opened ?? 0,
  }),
  closedIssuesCount: t.int({
    description:
      'The number of closed issues with the label that the current user may see. 0 for a hidden project.',
    args: scopeArgs,
    resolve: async (label, args, ctx) => (await countsWithin(label, args, ctx))?.closed ?? 0,
  }),
  sourceOpenIssuesCount: t.int({
    extensions: internal,
    resolve: async (label, _args, ctx) => (await countsOf(label, ctx)).opened,
  }),
  sourceClosedIssuesCount: t.int({
    extensions: internal,
    resolve: async (label, _args, ctx) => (await countsOf(label, ctx)).closed,
  }),
}));
