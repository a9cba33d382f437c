import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { walkCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { tipOf } from '../merge-requests/branches.ts';
import { findMergeRequest } from '../merge-requests/find.ts';
import { isWorkInProgress } from '../merge-requests/title.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { commitStatusOf } from '../pipelines/commit-fields.ts';
import { hasUnresolved } from './unresolved.ts';

const MergeBlocker = builder.enumType('MergeBlocker', {
  description: 'Why an open merge request cannot be merged now.',
  values: {
    draft: { description: 'The title marks a draft.' },
    no_source_branch: { description: 'The source branch does not exist.' },
    no_target_branch: { description: 'The target branch does not exist.' },
    nothing_to_merge: { description: 'The target branch has all commits of the source branch.' },
    conflicts: { description: 'Git cannot merge the branches without conflicts.' },
    unresolved_discussions: {
      description: 'The project requires that all discussions are resolved.',
    },
    pipeline_not_succeeded: {
      description: 'The project requires that the pipeline of the head commit succeeds.',
    },
  } as const,
});

type Blocker = typeof MergeBlocker.$inferType;

interface Shown {
  readonly projectId: number;
  readonly iid: number;
  readonly sha: string | null;
  readonly mergeStatus: string;
}

/** Every reason, in the order of the enum; none of a merge request that is not open. */
async function blockersOf(shown: Shown, ctx: Context): Promise<readonly Blocker[]> {
  const mergeRequest = await findMergeRequest(String(shown.projectId), shown.iid, ctx);
  if (mergeRequest.state !== 'opened') return [];
  const { project, sourceProject, sourceBranch, sourceProjectId, targetBranch } = mergeRequest;
  const { sha } = shown;
  const [source, target, isDiscussed, status] = await Promise.all([
    sourceProject && tipOf(sourceProject, sourceBranch, ctx),
    tipOf(project, targetBranch, ctx),
    project.onlyAllowMergeIfAllDiscussionsAreResolved && hasUnresolved(ctx.db, mergeRequest.id),
    project.onlyAllowMergeIfPipelineSucceeds && sha !== null
      ? commitStatusOf(sourceProjectId ?? project.id, sha, ctx)
      : 'success',
  ]);
  const hasBranches = source !== null && target !== null && sha !== null;
  const isRefused = hasBranches && shown.mergeStatus === 'cannot_be_merged';
  const base =
    isRefused && (await ctx.git.mergeBase(project, { target, head: sha }, ctx.request.signal));
  const blockers: readonly (readonly [Blocker, boolean])[] = [
    ['draft', isWorkInProgress(mergeRequest.title)],
    ['no_source_branch', source === null],
    ['no_target_branch', target === null],
    ['nothing_to_merge', isRefused && base === sha],
    ['conflicts', isRefused && base !== sha],
    ['unresolved_discussions', isDiscussed],
    ['pipeline_not_succeeded', status !== 'success' && status !== 'skipped'],
  ];
  return blockers.flatMap(([blocker, isThere]) => (isThere ? [blocker] : []));
}

builder.prismaObjectField(MergeRequest, 'mergeBlockers', (t) =>
  t.field({
    type: [MergeBlocker],
    // for one merge request: git and several statements for each
    extensions: internal,
    description:
      'Why the merge request cannot be merged now, apart from the rights of the current user. Empty if it is not open.',
    complexity: walkCost,
    select: { projectId: true, iid: true, sha: true, mergeStatus: true },
    resolve: async (mergeRequest, _args, ctx) => [...(await blockersOf(mergeRequest, ctx))],
  }),
);
