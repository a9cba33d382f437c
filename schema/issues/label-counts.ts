import { issueKind } from '../issuables/kinds.ts';
import { labelCounts } from '../issuables/label-counts.ts';
import { builder } from '../kernel/builder.ts';
import { Label } from '../labels/types.ts';
import { issuesOf } from './visible.ts';

const countsOf = labelCounts(issueKind, issuesOf);

builder.objectFields(Label, (t) => ({
  openIssuesCount: t.int({
    description: 'The number of open issues with the label that the current user may see.',
    resolve: async (label, _args, ctx) => (await countsOf(label, ctx)).opened,
  }),
  closedIssuesCount: t.int({
    description: 'The number of closed issues with the label that the current user may see.',
    resolve: async (label, _args, ctx) => (await countsOf(label, ctx)).closed,
  }),
}));
