import type { Transaction } from '../../prisma/client.ts';
import { changeLabels, changeMilestone } from '../issuables/attachments.ts';
import { actionBetween, combined } from '../issuables/differences.ts';
import { issuableFaults } from '../issuables/faults.ts';
import { issueKind } from '../issuables/kinds.ts';
import type { Context } from '../kernel/context.ts';
import { refuseFaults } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { addedMentions, textOf } from '../todos/mentions.ts';
import { completeTodos, recordTodos } from '../todos/record.ts';
import { changeAssignees } from './assignees.ts';
import { differencesOf, type IssueDifference } from './differences.ts';
import { findIssue } from './find.ts';
import type { IssueChange } from './inputs.ts';
import { type LockedIssue, lockIssue } from './lock.ts';
import { notifyIssueChange, recordIssueEvent } from './notify.ts';
import { countOf, countOpen } from './numbers.ts';
import { canAdminIssues, canSetCreatedAt, canUpdateIssue } from './policy.ts';

/**
 * Updates an issue and writes system notes of what changed; reporters, the author and assignees
 * may. Gives its id. Ignores all fields but the texts and the state from users below reporter, and
 * the timestamps from users below owner (v4-behaviour 3.3).
 */
export async function updateIssue(
  ref: string,
  iid: number,
  input: IssueChange,
  ctx: Context,
): Promise<number> {
  const viewer = signedIn(ctx);
  const { id, project, level } = await findIssue(ref, iid, ctx, canUpdateIssue);
  const { title, description, stateEvent, createdAt, updatedAt, ...rest } = input;
  const change: IssueChange = {
    ...{ title, description, stateEvent },
    ...(canAdminIssues(level) && rest),
    ...(canSetCreatedAt(level) && { createdAt, updatedAt }),
  };
  refuseFaults(issuableFaults(change));
  await transact(ctx.db, async (tx) => {
    const before = await lockIssue(tx, id);
    const differences = [
      ...differencesOf(before, change, viewer.id),
      ...(await changeMilestone(tx, project, before, change)),
      ...(await changeLabels(tx, issueKind, project, before, change)),
      ...(await changeAssignees(tx, project.id, before, change)),
    ];
    await store(tx, before, differences, viewer.id, ctx);
  });
  return id;
}

async function store(
  tx: Transaction,
  before: LockedIssue,
  differences: readonly IssueDifference[],
  viewerId: number,
  ctx: Context,
): Promise<void> {
  if (differences.length === 0) return;
  const { id: issueId, projectId } = before;
  const { text, sentences } = combined(differences);
  if (Object.keys(text).length > 0) {
    await tx.issueText.update({ where: { issueId }, data: text, select: { issueId: true } });
  }
  const after = await tx.issue.update({
    where: { id: issueId },
    // `updatedAt` is set explicitly: texts, assignees and labels are stored in other tables
    data: Object.assign({ updatedAt: new Date() }, ...differences.map(({ columns }) => columns)),
    select: { state: true, isConfidential: true, assignees: { select: { userId: true } } },
  });
  await recordSystemNotes(tx, { issueId }, viewerId, sentences);
  const target = { kind: 'issue', id: issueId } as const;
  await completeTodos(tx, target, viewerId);
  const former = new Set(before.assignees.map(({ id }) => id));
  await recordTodos(tx, target, {
    authorId: viewerId,
    assigneeIds: after.assignees.map(({ userId }) => userId).filter((id) => !former.has(id)),
    mentions: addedMentions(textOf(before), textOf({ ...before, ...text })),
  });
  if (after.isConfidential !== before.isConfidential) await hideEvents(tx, before, after);
  await countOpen(tx, projectId, countOf(after) - countOf(before));
  const { isConfidential } = after;
  const action = actionBetween(before, after);
  await recordIssueEvent(tx, { ...before, ...text, isConfidential }, action, viewerId);
  const event = { id: issueId, action, actorId: viewerId, before };
  await notifyIssueChange(tx, { projectId, isConfidential }, event, ctx);
}

/** Makes the issue's existing events as confidential as the issue now is. */
async function hideEvents(
  tx: Transaction,
  { id, projectId }: LockedIssue,
  { isConfidential }: { readonly isConfidential: boolean },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE events SET is_confidential = ${isConfidential}
    WHERE project_id = ${projectId} AND ((target = 'issue' AND target_id = ${id})
      OR note_id = ANY(ARRAY(SELECT id FROM notes WHERE issue_id = ${id})))`;
}
