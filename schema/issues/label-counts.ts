import { issueKind } from '../issuables/kinds.ts';
import { labelCounts } from '../issuables/label-counts.ts';
import { builder } from '../kernel/builder.ts';
import { SourceLabel } from '../labels/types.ts';
import { issuesOf } from './visible.ts';

const countsOf = labelCounts(issueKind, issuesOf);

builder.objectFields(SourceLabel, (t) => ({
  openIssuesCount: t.int({
    description: 'Open issues with it that the viewer may see.',
    resolve: async (label, _args, ctx) => (await countsOf(label, ctx)).opened,
  }),
  closedIssuesCount: t.int({
    description: 'Closed issues with it that the viewer may see.',
    resolve: async (label, _args, ctx) => (await countsOf(label, ctx)).closed,
  }),
}));
