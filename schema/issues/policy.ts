import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** What a rule on an issue looks at besides the viewer's level in its project. */
export interface IssueTraits {
  readonly authorId: number | null;
  readonly assignees: readonly { readonly userId: number }[];
}

/** Labels, milestone and assignees are set, and confidential issues seen, from reporters on. */
export const canAdminIssues = (level: Access): boolean => level >= Access.reporter;

/** Reporters, and whoever wrote an issue or is to do it. */
export const canUpdateIssue = (
  { id }: Pick<Viewer, 'id'>,
  level: Access,
  { authorId, assignees }: IssueTraits,
): boolean =>
  canAdminIssues(level) || authorId === id || assignees.some(({ userId }) => userId === id);

export const canDeleteIssue = (level: Access): boolean => level >= Access.owner;

/** Whoever brings issues from elsewhere may say when they, or their notes, were written. */
export const canSetCreatedAt = (level: Access): boolean => level >= Access.owner;

export const canMoveIssues = canAdminIssues;

interface Target {
  readonly issuesEnabled: boolean;
  readonly isArchived: boolean;
}

/** Whether somebody of this level there may bring issues from another project. */
export const canReceiveIssues = (level: Access, { issuesEnabled, isArchived }: Target): boolean =>
  canAdminIssues(level) && issuesEnabled && !isArchived;
