import { noRequest } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import { commitStatusOf } from '../pipelines/commit-fields.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import { viewerOf } from '../sessions/viewer.ts';
import { acceptMergeRequest } from './merge.ts';
import type { MergeParts } from './settle-merge.ts';

/**
 * The job after a pipeline's end: merges the merge requests that wait for it, in the name of the
 * user who requested the merge. Merge requests that cannot be merged stay open.
 */
export async function mergeAfterPipeline(
  { projectId, sha }: JobPayloads['pipeline-ended'],
  signal: AbortSignal,
  parts: MergeParts,
): Promise<void> {
  const waiting = await parts.db.mergeRequest.findMany({
    where: {
      sourceProjectId: projectId,
      sha,
      state: 'opened',
      mergesWhenPipelineSucceeds: true,
      project: { isRemoved: false },
    },
    orderBy: { id: 'asc' },
    select: { iid: true, projectId: true, mergedById: true, shouldRemoveSourceBranch: true },
  });
  if (waiting.length === 0 || (await commitStatusOf(projectId, sha, parts)) !== 'success') return;
  for (const { iid, projectId: target, mergedById, shouldRemoveSourceBranch } of waiting) {
    signal.throwIfAborted();
    const viewer = mergedById === null ? null : await viewerOf(parts.db, mergedById);
    if (!viewer) continue;
    const options = { sha, shouldRemoveSourceBranch };
    const ctx = { ...parts, viewer, request: { ...noRequest, signal } };
    try {
      await acceptMergeRequest(String(target), iid, options, ctx);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
