import type { z } from 'zod';
import { recordCommitsLater } from '../../schema/merge-requests/record-commits.ts';
import { type IssuableKind, importIssuables } from './issuables.ts';
import type { ProjectImport } from './project-import.ts';
import { diffRefsShape, mergeRequestShape } from './shapes.ts';

type MergeRequest = z.infer<typeof mergeRequestShape>;

/**
 * The commit that the changes of a merge request start from; null for an open one, and if no
 * repository has it any more. Older servers do not give it: then it is the merge base of the commit
 * and of the target branch, as it was before the merge.
 */
async function baseOf(item: MergeRequest, project: ProjectImport): Promise<string | null> {
  const { source, path, git, target } = project;
  const { iid, sha, state, target_branch } = item;
  if (state === 'opened' || sha == null) return null;
  const { diff_refs } = await source.read(`${path}/merge_requests/${iid}`, diffRefsShape);
  const given = diff_refs?.base_sha;
  if (given != null && (await git.commitBehind(target.repository, given))) return given;
  const merge = item.merge_commit_sha ?? null;
  const before =
    state === 'merged'
      ? merge && (await git.commitBehind(target.repository, merge))?.parentIds[0]
      : await git.resolveCommit(target.repository, `refs/heads/${target_branch}`);
  return before ? git.mergeBase(target.repository, { target: before, head: sha }) : null;
}

const mergeRequests: IssuableKind<MergeRequest> = {
  path: 'merge_requests',
  shape: mergeRequestShape,
  sign: '!',
  existing: (tx, projectId, iids) =>
    tx.mergeRequest.findMany({
      where: { projectId, iid: { in: [...iids] } },
      select: { iid: true, createdAt: true },
    }),
  prepare: async (item, shared, project) => {
    const { people, target, original, git } = project;
    const { repository } = target;
    // the source may have deleted the commits of a merge request that is merged or closed
    const isKept =
      item.sha != null &&
      (await git.keepMergeHead(repository, {
        number: item.iid,
        sha: item.sha,
        source: repository,
      }));
    const baseSha = isKept ? await baseOf(item, project) : null;
    const isMerged = item.state === 'merged';
    const columns = {
      ...shared,
      state: item.state,
      sourceBranch: item.source_branch,
      targetBranch: item.target_branch,
      // a fork is another project, which is not here
      sourceProjectId: item.source_project_id === original.id ? target.id : null,
      sha: isKept ? (item.sha ?? null) : null,
      baseSha,
      mergeCommitSha: item.merge_commit_sha ?? item.squash_commit_sha ?? null,
      assigneeId: await people.find(item.assignee),
      // the others are checked when they are read
      ...(isMerged && { mergeStatus: 'can_be_merged' as const }),
      mergedAt: isMerged ? (item.merged_at ?? item.updated_at) : null,
      mergedById: isMerged ? await people.find(item.merged_by ?? item.merge_user) : null,
    };
    return async (tx, labelIds) => {
      const { id } = await tx.mergeRequest.create({
        data: {
          ...columns,
          labels: { createMany: { data: labelIds.map((labelId) => ({ labelId })) } },
        },
        select: { id: true },
      });
      await recordCommitsLater(tx, id, project);
      await tx.$executeRaw`
        UPDATE projects SET last_merge_request_iid = GREATEST(last_merge_request_iid, ${item.iid})
        WHERE id = ${target.id}`;
    };
  },
};

/** The merge requests of the project with their notes. */
export const importMergeRequests = (project: ProjectImport): Promise<void> =>
  importIssuables(mergeRequests, project);
