import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** The columns of an issue that policies read. */
export interface IssueTraits {
  readonly authorId: number | null;
  readonly assignees: readonly { readonly userId: number }[];
}

/** Reporters set labels, milestone and assignees, and see confidential issues. */
export const canAdminIssues = (level: Access): boolean => level >= Access.reporter;

/** Reporters, the author and the assignees may do it. */
export const canUpdateIssue = (
  { id }: Pick<Viewer, 'id'>,
  level: Access,
  { authorId, assignees }: IssueTraits,
): boolean =>
  canAdminIssues(level) || authorId === id || assignees.some(({ userId }) => userId === id);

/** Confidential issues are visible to the same users who may update them. */
export const canSeeIssue = (
  viewer: Pick<Viewer, 'id'>,
  level: Access,
  issue: IssueTraits & { readonly isConfidential: boolean },
): boolean => !issue.isConfidential || canUpdateIssue(viewer, level, issue);

export const canDeleteIssue = (level: Access): boolean => level >= Access.owner;

/** For imports: `createdAt` of issues and notes. */
export const canSetCreatedAt = (level: Access): boolean => level >= Access.owner;

export const canMoveIssues = canAdminIssues;

interface Target {
  readonly issuesEnabled: boolean;
  readonly isArchived: boolean;
}

/** Whether a user of this level in the target project may move issues there. */
export const canReceiveIssues = (level: Access, { issuesEnabled, isArchived }: Target): boolean =>
  canAdminIssues(level) && issuesEnabled && !isArchived;
