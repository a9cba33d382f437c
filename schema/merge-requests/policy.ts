import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { canDownloadCode, canPushCode, type ProjectTraits } from '../projects/policy.ts';
import { type PushSituation, refusalOf } from '../repository/push-rules.ts';

/** What a rule on a merge request looks at besides the viewer's level in its project. */
export interface MergeRequestTraits {
  readonly authorId: number | null;
  /** The one that it is to be merged in. */
  readonly project: ProjectTraits;
}

/** Who reads them reads the code. */
export const canReadMergeRequests = canDownloadCode;

/** Branches are offered by those who may push to them. */
export const canOfferBranches = canPushCode;

/** Nothing of an archived project is offered anything. */
export const canReceiveMergeRequests = (
  viewer: Viewer | null,
  level: Access,
  project: ProjectTraits,
): boolean => canReadMergeRequests(viewer, level, project) && !project.isArchived;

/** Labels, milestone and assignee are set, and time is kept, from developers on. */
export const canAdminMergeRequests = (level: Access, { isArchived }: ProjectTraits): boolean =>
  level >= Access.developer && !isArchived;

/** Developers, and whoever wrote it. */
export const canUpdateMergeRequest = (
  { id }: Pick<Viewer, 'id'>,
  level: Access,
  { authorId, project }: MergeRequestTraits,
): boolean => canAdminMergeRequests(level, project) || (authorId === id && !project.isArchived);

export const canDeleteMergeRequest = (level: Access, { isArchived }: ProjectTraits): boolean =>
  level >= Access.owner && !isArchived;

/** Stands for commits that are there, whichever they are. */
const some = 'f'.repeat(40);

/** Whoever may push to a branch, or whom a rule on it lets merge (v4-behaviour 3.4, 4.4). */
export const canMergeInto = (
  branch: string,
  level: Access,
  project: ProjectTraits & Pick<PushSituation, 'defaultBranch'>,
  rules: PushSituation['rules'],
): boolean => {
  const merge = { ref: `refs/heads/${branch}`, before: some, after: some, isForced: false };
  const { defaultBranch } = project;
  const situation = { level, defaultBranch, rules, protection: 0 };
  return canPushCode(level, project) && refusalOf({ ...merge, isMerge: true }, situation) === null;
};
