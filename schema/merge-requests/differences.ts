import type { Prisma } from '../../prisma/client.ts';
import {
  type Difference,
  descriptionChanged,
  discussionLockChanged,
} from '../issuables/differences.ts';
import { sentences } from '../system-notes/sentences.ts';
import type { MergeRequestChange } from './inputs.ts';
import type { LockedMergeRequest } from './lock.ts';
import { isWorkInProgress, withoutMark } from './title.ts';

export type MergeRequestDifference = Difference<Prisma.MergeRequestUncheckedUpdateInput>;

/** The changes of the merge request's own columns and texts, with their system notes. */
export const differencesOf = (
  before: LockedMergeRequest,
  change: MergeRequestChange,
): readonly MergeRequestDifference[] => [
  ...titleChanged(before, change),
  ...descriptionChanged(before, change),
  ...targetBranchChanged(before, change),
  ...discussionLockChanged(before, change, {
    locked: sentences.lockedMergeRequest,
    unlocked: sentences.unlockedMergeRequest,
  }),
  ...sourceBranchRemovalChanged(before, change),
];

function titleChanged(
  before: LockedMergeRequest,
  change: MergeRequestChange,
): readonly MergeRequestDifference[] {
  const title = change.title?.trim();
  if (title === undefined || title === before.title) return [];
  const marks =
    isWorkInProgress(title) === isWorkInProgress(before.title) ? [] : [draftSentence(title)];
  const isOtherwiseSame = marks.length > 0 && withoutMark(title) === withoutMark(before.title);
  return [
    {
      text: { title },
      sentences: [...marks, ...(isOtherwiseSame ? [] : [sentences.retitled(before.title, title)])],
      hookChanges: { title: [before.title, title] },
    },
  ];
}

const draftSentence = (title: string): string =>
  isWorkInProgress(title) ? sentences.markedAsUnfinished : sentences.markedAsFinished;

/** Ignored unless the merge request is open. */
function targetBranchChanged(
  before: LockedMergeRequest,
  { targetBranch }: MergeRequestChange,
): readonly MergeRequestDifference[] {
  if (!targetBranch || targetBranch === before.targetBranch || before.state !== 'opened') return [];
  return [
    {
      columns: { targetBranch, mergeStatus: 'unchecked', checkedAgainst: null },
      sentences: [sentences.targetBranch(before.targetBranch, targetBranch)],
      hookChanges: { target_branch: [before.targetBranch, targetBranch] },
    },
  ];
}

function sourceBranchRemovalChanged(
  before: LockedMergeRequest,
  change: MergeRequestChange,
): readonly MergeRequestDifference[] {
  const removesSourceBranch = change.forceRemoveSourceBranch ?? before.removesSourceBranch;
  if (removesSourceBranch === before.removesSourceBranch) return [];
  return [
    {
      columns: { removesSourceBranch },
      hookChanges: {
        force_remove_source_branch: [before.removesSourceBranch, removesSourceBranch],
      },
    },
  ];
}
