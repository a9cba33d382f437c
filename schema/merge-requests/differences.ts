import type { Prisma } from '../../prisma/client.ts';
import { sentences } from '../system-notes/sentences.ts';
import type { LockedMergeRequest } from './lock.ts';
import { isWorkInProgress, withoutMark } from './title.ts';

/** What is to become of a merge request; what is left out stays as it is. */
export interface MergeRequestChange {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly targetBranch?: string | null | undefined;
  readonly stateEvent?: 'close' | 'reopen' | null | undefined;
  readonly isDiscussionLocked?: boolean | null | undefined;
  readonly removesSourceBranch?: boolean | null | undefined;
  /** Null takes it away. */
  readonly assigneeId?: number | null | undefined;
  readonly milestoneId?: number | null | undefined;
  /** Names of all that it is to have; what there is not yet is made. */
  readonly labels?: readonly string[] | null | undefined;
}

/** What was and what is, by the name it has in a hook's message. */
export type HookChanges = Readonly<Record<string, readonly [Value, Value]>>;
type Value = Prisma.InputJsonValue | null;

export interface Difference {
  readonly columns?: Prisma.MergeRequestUncheckedUpdateInput;
  readonly text?: { readonly title?: string; readonly description?: string | null };
  readonly sentences?: readonly string[];
  readonly told?: HookChanges;
  /** Labels, which are no columns, came or went. */
  readonly isElsewhere?: true;
}

/** What a change makes different about its own columns and texts, and how that is noted. */
export const differencesOf = (
  before: LockedMergeRequest,
  change: MergeRequestChange,
): readonly Difference[] => [
  ...retitled(before, change),
  ...describedAnew(before, change),
  ...retargeted(before, change),
  ...locked(before, change),
  ...cleaning(before, change),
];

function retitled(before: LockedMergeRequest, change: MergeRequestChange): readonly Difference[] {
  const title = change.title?.trim();
  if (title === undefined || title === before.title) return [];
  const marks =
    isWorkInProgress(title) === isWorkInProgress(before.title) ? [] : [markNoted(title)];
  const isOtherwiseSame = marks.length > 0 && withoutMark(title) === withoutMark(before.title);
  return [
    {
      text: { title },
      sentences: [...marks, ...(isOtherwiseSame ? [] : [sentences.retitled(before.title, title)])],
      told: { title: [before.title, title] },
    },
  ];
}

const markNoted = (title: string): string =>
  isWorkInProgress(title) ? sentences.markedAsUnfinished : sentences.markedAsFinished;

function describedAnew(
  before: LockedMergeRequest,
  { description }: MergeRequestChange,
): readonly Difference[] {
  if (description === undefined || description === before.description) return [];
  // '' and null read the same: nothing to note
  if ((description ?? '') === (before.description ?? '')) return [{ text: { description } }];
  return [
    {
      text: { description },
      sentences: [sentences.describedAnew],
      told: { description: [before.description, description] },
    },
  ];
}

/** Once it is closed or merged it stays what it was. */
function retargeted(
  before: LockedMergeRequest,
  { targetBranch }: MergeRequestChange,
): readonly Difference[] {
  if (!targetBranch || targetBranch === before.targetBranch || before.state !== 'opened') return [];
  return [
    {
      columns: { targetBranch, mergeStatus: 'unchecked', checkedAgainst: null },
      sentences: [sentences.targetBranch(before.targetBranch, targetBranch)],
      told: { target_branch: [before.targetBranch, targetBranch] },
    },
  ];
}

function locked(before: LockedMergeRequest, change: MergeRequestChange): readonly Difference[] {
  const isDiscussionLocked = change.isDiscussionLocked ?? before.isDiscussionLocked;
  if (isDiscussionLocked === before.isDiscussionLocked) return [];
  const told = { discussion_locked: [before.isDiscussionLocked, isDiscussionLocked] } as const;
  const columns = { isDiscussionLocked };
  // open from the beginning, it says so now, which is no news
  if (!isDiscussionLocked && !before.isDiscussionLocked) return [{ columns, told }];
  const sentence = isDiscussionLocked
    ? sentences.lockedMergeRequest
    : sentences.unlockedMergeRequest;
  return [{ columns, sentences: [sentence], told }];
}

function cleaning(before: LockedMergeRequest, change: MergeRequestChange): readonly Difference[] {
  const removesSourceBranch = change.removesSourceBranch ?? before.removesSourceBranch;
  if (removesSourceBranch === before.removesSourceBranch) return [];
  return [
    {
      columns: { removesSourceBranch },
      told: { force_remove_source_branch: [before.removesSourceBranch, removesSourceBranch] },
    },
  ];
}
