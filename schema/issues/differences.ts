import type { Prisma } from '../../prisma/client.ts';
import {
  type Difference,
  descriptionChanged,
  discussionLockChanged,
} from '../issuables/differences.ts';
import { sentences } from '../system-notes/sentences.ts';
import type { IssueChange } from './inputs.ts';
import type { LockedIssue } from './lock.ts';

export type IssueDifference = Difference<Prisma.IssueUncheckedUpdateInput>;

/** The changes of the issue's own columns and texts, with their system notes. */
export function differencesOf(
  before: LockedIssue,
  change: IssueChange,
  viewerId: number,
): readonly IssueDifference[] {
  return [
    ...titleChanged(before, change),
    ...descriptionChanged(before, change),
    ...discussionLockChanged(before, change, sentences),
    ...dueDateChanged(before, change),
    ...confidentialityChanged(before, change),
    ...stateChanged(before, change, viewerId),
    ...timestampsChanged(change),
  ];
}

function titleChanged(before: LockedIssue, change: IssueChange): readonly IssueDifference[] {
  const title = change.title?.trim();
  if (title === undefined || title === before.title) return [];
  return [{ text: { title }, sentences: [sentences.retitled(before.title, title)] }];
}

function dueDateChanged(before: LockedIssue, { dueDate }: IssueChange): readonly IssueDifference[] {
  if (dueDate === undefined || dueDate?.getTime() === before.dueDate?.getTime()) return [];
  return [{ columns: { dueDate }, sentences: [sentences.dueOn(dueDate)] }];
}

function confidentialityChanged(
  before: LockedIssue,
  change: IssueChange,
): readonly IssueDifference[] {
  const isConfidential = change.isConfidential ?? before.isConfidential;
  if (isConfidential === before.isConfidential) return [];
  const sentence = isConfidential ? sentences.madeConfidential : sentences.madeVisible;
  return [{ columns: { isConfidential }, sentences: [sentence] }];
}

/** Closing a closed issue, or reopening an open one, changes nothing. */
function stateChanged(
  before: LockedIssue,
  { stateEvent }: IssueChange,
  viewerId: number,
): readonly IssueDifference[] {
  if (stateEvent === 'close' && before.state === 'opened') {
    const columns = { state: 'closed', closedAt: new Date(), closedById: viewerId } as const;
    return [{ columns, sentences: [sentences.closed] }];
  }
  if (stateEvent === 'reopen' && before.state === 'closed') {
    const columns = { state: 'opened', closedAt: null, closedById: null } as const;
    return [{ columns, sentences: [sentences.reopened] }];
  }
  return [];
}

function timestampsChanged({ createdAt, updatedAt }: IssueChange): readonly IssueDifference[] {
  if (!createdAt && !updatedAt) return [];
  return [{ columns: { ...(createdAt && { createdAt }), ...(updatedAt && { updatedAt }) } }];
}
