import type { ResultOf } from '../../../schema/client/graphql.ts';
import type { Group } from '../frame/group-head.ts';
import type { Project } from '../frame/project-head.ts';
import type { personFields } from '../kernel/people.ts';
import type { MarkedLabel } from '../labels/label-mark.ts';

/** Whose issues or merge requests a list has; a dashboard has those of all projects. */
export type ListScope =
  | { readonly kind: 'project'; readonly owner: Project }
  | { readonly kind: 'group'; readonly owner: Group }
  | { readonly kind: 'dashboard' };

type Person = ResultOf<typeof personFields>;

/** A row of a list: an issue or merge request. */
export interface ListedItem {
  readonly projectPath: string;
  readonly iid: number;
  readonly title: string;
  readonly state: string;
  readonly isConfidential: boolean;
  readonly isDiscussionLocked: boolean;
  readonly isDraft: boolean;
  readonly createdAt: string;
  readonly dueDate: string | null;
  readonly userNotesCount: number;
  readonly upvotes: number;
  readonly labels: readonly MarkedLabel[];
  readonly milestone: { readonly title: string } | null;
  readonly author: Person | null;
  readonly assignees: readonly Person[];
  /** The source and target branch of a merge request. */
  readonly branches: readonly [string, string] | null;
}

export interface ListedPage {
  readonly total: number;
  /** The number of items in each state that match the filter. */
  readonly counts: ReadonlyMap<string, number>;
  readonly items: readonly ListedItem[];
}
