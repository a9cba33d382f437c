import { formatDuration } from '../kernel/duration.ts';

const listed = new Intl.ListFormat('en');
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const elsewhere = 'another project';

interface Exchange<Thing> {
  readonly added: readonly Thing[];
  readonly removed: readonly Thing[];
}

const userList = (usernames: readonly string[]) =>
  listed.format(usernames.map((name) => `@${name}`));

const labels = (ids: readonly number[]) => ids.map((id) => `~${id}`).join(' ');

/** Why an automatic merge or approvals end before the merge. */
const consentEnds = {
  push: 'source branch was updated',
  retarget: 'target branch was changed',
  close: 'merge request was closed',
  lostRight: 'the user who enabled it may no longer merge',
  unknown: 'an earlier version did not record what was accepted',
} as const;

export type ConsentEnd = keyof typeof consentEnds;

/** The texts of system notes, without the author's name (v4-behaviour 2.6). */
export const sentences = {
  closed: 'closed',
  reopened: 'reopened',
  retitled: (before: string, after: string) =>
    `changed title from **{-${before}-}** to **{+${after}+}**`,
  descriptionChanged: 'changed the description',
  madeConfidential: 'made the issue confidential',
  madeVisible: 'made the issue visible to everyone',
  locked: 'locked this issue',
  unlocked: 'unlocked this issue',
  lockedMergeRequest: 'locked this merge request',
  unlockedMergeRequest: 'unlocked this merge request',

  approved: 'approved this merge request',
  unapproved: 'unapproved this merge request',
  approvalLost: 'withdrew the approval because the user may no longer approve',
  approvalsReset: (reason: ConsentEnd) => `reset approvals because ${consentEnds[reason]}`,

  automaticMergeEnabled: (sha: string) =>
    `enabled an automatic merge when the pipeline for ${sha} succeeds`,
  automaticMergeCanceled: 'canceled the automatic merge',
  automaticMergeAborted: (reason: ConsentEnd) =>
    `aborted the automatic merge because ${consentEnds[reason]}`,

  targetBranch: (before: string, after: string) =>
    `changed target branch from \`${before}\` to \`${after}\``,

  markedAsUnfinished: 'marked as a **Work In Progress**',
  markedAsFinished: 'unmarked as a **Work In Progress**',

  resolvedAll: 'resolved all discussions',
  changedLine: (commit: string) => `changed this line in ${commit}`,

  dueOn: (date: Date | null) =>
    date ? `changed due date to ${day.format(date)}` : 'removed due date',

  milestone: (title: string | null) =>
    title === null ? 'removed milestone' : `changed milestone to %"${title}"`,

  /** By ids, because a label may be renamed. */
  labelled: ({ added, removed }: Exchange<number>) => {
    const parts = [
      ...(added.length > 0 ? [`added ${labels(added)}`] : []),
      ...(removed.length > 0 ? [`removed ${labels(removed)}`] : []),
    ];
    return `${parts.join(' and ')} label${added.length + removed.length === 1 ? '' : 's'}`;
  },

  /** By usernames. */
  assigned: ({ added, removed }: Exchange<string>) =>
    [
      ...(added.length > 0 ? [`assigned to ${userList(added)}`] : []),
      ...(removed.length > 0 ? [`unassigned ${userList(removed)}`] : []),
    ].join(' and '),

  estimated: (seconds: number) =>
    seconds === 0 ? 'removed time estimate' : `changed time estimate to ${formatDuration(seconds)}`,

  spent: (seconds: number) =>
    seconds < 0
      ? `subtracted ${formatDuration(-seconds)} of time spent`
      : `added ${formatDuration(seconds)} of time spent`,

  spentNothing: 'removed time spent',

  /** `group/project#3`; null if readers might not see that project. */
  movedTo: (reference: string | null) => `moved to ${reference ?? elsewhere}`,
  movedFrom: (reference: string | null) => `moved from ${reference ?? elsewhere}`,
} as const;
