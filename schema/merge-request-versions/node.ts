import { defineRecord } from '../kernel/nodes.ts';
import { mergeRequestProjectOf } from '../merge-requests/find.ts';
import { mergeRequestParents } from '../merge-requests/node.ts';

defineRecord('MergeRequestVersion', {
  model: 'mergeRequestVersion',
  select: (ctx) => ({ id: true, mergeRequest: { select: mergeRequestParents(ctx) } }) as const,
  check: ({ mergeRequest }, ctx) => mergeRequestProjectOf(mergeRequest.project, ctx),
});
