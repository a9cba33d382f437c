import type { Transaction } from '../../prisma/client.ts';
import { notifyHooks } from '../activity/notify-hooks.ts';
import {
  labelPayload,
  projectPayload,
  projectSelection,
  repositoryPayload,
  userPayload,
} from '../activity/payload.ts';
import { recordEvent } from '../activity/record.ts';
import type { IssuePayload } from '../hook-payloads/issue.ts';
import type { ChangesPayload } from '../hook-payloads/parts.ts';
import type { Context } from '../kernel/context.ts';
import type { LockedIssue } from './lock.ts';

type Parts = Pick<Context, 'baseUrl' | 'sshUrl' | 'jobs' | 'settings'>;

export type IssueAction = 'open' | 'update' | 'close' | 'reopen';

/** The actions that create an event. */
const events = { open: 'created', close: 'closed', reopen: 'reopened' } as const;

interface IssueEvent {
  readonly id: number;
  readonly action: IssueAction;
  readonly actorId: number;
  /** Null for a new issue. */
  readonly before?: LockedIssue;
}

/** Records the event of an opened, closed or reopened issue, in the transaction that changed it. */
export async function recordIssueEvent(
  tx: Transaction,
  issue: Pick<LockedIssue, 'id' | 'iid' | 'projectId' | 'title' | 'isConfidential'>,
  action: IssueAction,
  actorId: number,
): Promise<void> {
  if (action === 'update') return;
  const { id, iid, projectId, title, isConfidential } = issue;
  await recordEvent(tx, {
    projectId,
    authorId: actorId,
    action: events[action],
    target: 'issue',
    targetId: id,
    targetIid: iid,
    targetTitle: title,
    isConfidential,
  });
}

/** Notifies the subscribed hooks of an issue's change, in the transaction that changed it. */
export async function notifyIssueChange(
  tx: Transaction,
  place: { readonly projectId: number; readonly isConfidential: boolean },
  event: IssueEvent,
  parts: Parts,
): Promise<void> {
  const { projectId, isConfidential } = place;
  const hookEvent = isConfidential
    ? ({
        projectId,
        subscription: 'onConfidentialIssue',
        event: 'Confidential Issue Hook',
      } as const)
    : ({ projectId, subscription: 'onIssue', event: 'Issue Hook' } as const);
  await notifyHooks(tx, parts.jobs, hookEvent, () => issuePayload(tx, event, parts));
}

/** The payload of a change of an issue. */
export async function issuePayload(
  tx: Transaction,
  { id, action, actorId, before }: IssueEvent,
  parts: Parts,
): Promise<IssuePayload> {
  const issue = await readIssue(tx, id);
  const actor = await tx.user.findUniqueOrThrow({ where: { id: actorId } });
  const assignees = issue.assignees.map(({ user }) => userPayload(user, parts));
  return {
    object_kind: 'issue',
    user: userPayload(actor, parts),
    project: projectPayload(issue.project, parts),
    object_attributes: { ...issueAttributes(issue, parts), action },
    assignees,
    ...(assignees[0] && { assignee: assignees[0] }),
    labels: issue.labels.map(({ label }) => labelPayload(label)),
    changes: before ? changesOf(before, issue) : {},
    repository: repositoryPayload(issue.project, parts),
  };
}

type PayloadIssue = Awaited<ReturnType<typeof readIssue>>;

/** An issue with everything that hook payloads contain. */
export const readIssue = (tx: Transaction, id: number) =>
  tx.issue.findUniqueOrThrow({
    relationLoadStrategy: 'join',
    where: { id },
    include: {
      text: true,
      project: { select: projectSelection },
      assignees: { include: { user: true }, orderBy: { userId: 'asc' } },
      labels: { include: { label: true }, orderBy: { labelId: 'asc' } },
    },
  });

/** The `object_attributes` of an issue in hook payloads. */
export const issueAttributes = (
  issue: PayloadIssue,
  { baseUrl }: Pick<Context, 'baseUrl' | 'sshUrl'>,
) => ({
  id: issue.id,
  iid: issue.iid,
  title: issue.text?.title ?? '',
  description: issue.text?.description ?? null,
  state: issue.state,
  author_id: issue.authorId,
  assignee_id: issue.assignees[0]?.userId ?? null,
  assignee_ids: issue.assignees.map(({ userId }) => userId),
  project_id: issue.projectId,
  milestone_id: issue.milestoneId,
  moved_to_id: issue.movedToId,
  created_at: issue.createdAt.toISOString(),
  updated_at: issue.updatedAt.toISOString(),
  closed_at: issue.closedAt?.toISOString() ?? null,
  due_date: dayOf(issue.dueDate),
  confidential: issue.isConfidential,
  discussion_locked: issue.isDiscussionLocked,
  time_estimate: issue.timeEstimate,
  total_time_spent: issue.totalTimeSpent,
  url: `${baseUrl}/${issue.project.fullPath}/issues/${issue.iid}`,
});

/** The changed attributes with their old and new values. */
function changesOf(before: LockedIssue, after: PayloadIssue): ChangesPayload {
  const pairs = {
    title: [before.title, after.text?.title ?? ''],
    description: [before.description, after.text?.description ?? null],
    state: [before.state, after.state],
    confidential: [before.isConfidential, after.isConfidential],
    discussion_locked: [before.isDiscussionLocked, after.isDiscussionLocked],
    due_date: [dayOf(before.dueDate), dayOf(after.dueDate)],
    milestone_id: [before.milestoneId, after.milestoneId],
    time_estimate: [before.timeEstimate, after.timeEstimate],
    total_time_spent: [before.totalTimeSpent, after.totalTimeSpent],
    updated_at: [before.updatedAt.toISOString(), after.updatedAt.toISOString()],
    labels: [names(before.labels), names(after.labels.map(({ label }) => label))],
    assignees: [
      before.assignees.map(({ username }) => username).toSorted(),
      after.assignees.map(({ user }) => user.username).toSorted(),
    ],
  };
  return Object.fromEntries(
    Object.entries(pairs)
      .filter(([, [previous, current]]) => JSON.stringify(previous) !== JSON.stringify(current))
      .map(([name, [previous = null, current = null]]) => [name, { previous, current }]),
  );
}

const names = (labels: readonly { readonly name: string }[]) =>
  labels.map(({ name }) => name).toSorted();

const dayOf = (date: Date | null) => date?.toISOString().slice(0, 10) ?? null;
