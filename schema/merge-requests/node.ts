import type { Context } from '../kernel/context.ts';
import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { projectOfRecord } from '../projects/find.ts';
import { mergeRequestProjectOf } from './find.ts';

/** Selects what decides who sees a merge request, and how its project numbers it. */
export const mergeRequestParents = (ctx: Context) =>
  ({ id: true, projectId: true, iid: true, project: projectOfRecord(ctx) }) as const;

export const MergeRequestNode = defineRecord('MergeRequest', {
  model: 'mergeRequest',
  select: mergeRequestParents,
  check: ({ project }, ctx) => mergeRequestProjectOf(project, ctx),
});

/** For fields of a merge request by project and number. */
export const byMergeRequest = byRecord(MergeRequestNode, {
  project: ({ projectId }) => String(projectId),
  iid: ({ iid }) => iid,
});
