import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { canDownloadCode, canPushCode, type ProjectTraits } from '../projects/policy.ts';
import { canForcePushTo, canPushOrMerge, canPushTo } from '../repository/push-rules.ts';

/** The columns of a merge request that policies read. */
export interface MergeRequestTraits {
  readonly authorId: number | null;
  /** The target project. */
  readonly project: ProjectTraits;
}

/** Reading merge requests needs read access to the code. */
export const canReadMergeRequests = canDownloadCode;

/** Source branches need push access. */
export const canUseAsSource = canPushCode;

/** Archived projects receive no merge requests. */
export const canUseAsTarget = (
  viewer: Viewer | null,
  level: Access,
  project: ProjectTraits,
): boolean => canReadMergeRequests(viewer, level, project) && !project.isArchived;

/** Developers set labels, milestone and assignee, and track time. */
export const canAdminMergeRequests = (level: Access, { isArchived }: ProjectTraits): boolean =>
  level >= Access.developer && !isArchived;

/** Developers and the author may do it. */
export const canUpdateMergeRequest = (
  { id }: Pick<Viewer, 'id'>,
  level: Access,
  { authorId, project }: MergeRequestTraits,
): boolean => canAdminMergeRequests(level, project) || (authorId === id && !project.isArchived);

/** Developers approve, also what they wrote; no user in an archived project. */
export const canApprove = canAdminMergeRequests;

export const canDeleteMergeRequest = (level: Access, { isArchived }: ProjectTraits): boolean =>
  level >= Access.owner && !isArchived;

/** Users who may push to the target branch, and users who may merge by its protection. */
export const canMergeInto = canPushOrMerge;

/** Users who may push to the source branch. */
export const canUpdateSource = canPushTo;

/** A rebase discards the source branch's former commits. */
export const canRebase = canForcePushTo;
