import type { Transaction } from '../../prisma/client.ts';
import { lockIssue } from '../issues/lock.ts';
import { notifyIssueChange, recordIssueEvent } from '../issues/notify.ts';
import { countOf, countOpen } from '../issues/numbers.ts';
import type { Context } from '../kernel/context.ts';
import { issuesToClose } from '../merge-requests/closing-references.ts';
import { recordSystemNotes } from '../system-notes/record.ts';

/**
 * Closes the issues that a merge request's description says it closes, in the transaction that
 * merges it and in the name of the user who merged it. Users who may merge may close any issue of
 * the project.
 */
export async function closeReferencedIssues(
  tx: Transaction,
  id: number,
  byId: number | null,
  parts: Pick<Context, 'baseUrl' | 'sshUrl' | 'jobs' | 'settings'>,
): Promise<void> {
  const { text, iid, targetBranch, project } = await tx.mergeRequest.findUniqueOrThrow({
    relationLoadStrategy: 'join',
    where: { id },
    select: {
      iid: true,
      targetBranch: true,
      text: { select: { description: true } },
      project: { select: { id: true, defaultBranch: true, issuesEnabled: true } },
    },
  });
  if (!project.issuesEnabled) return;
  const description = text?.description ?? null;
  const iids = [...issuesToClose({ description, targetBranch, project })];
  if (iids.length === 0) return;
  const issues = await tx.issue.findMany({
    where: { projectId: project.id, iid: { in: iids }, state: 'opened' },
    select: { id: true },
    // concurrent merges lock the issues in the same order
    orderBy: { id: 'asc' },
  });
  for (const { id: issueId } of issues) {
    const issue = await lockIssue(tx, issueId);
    if (issue.state !== 'opened') continue;
    await tx.issue.update({
      where: { id: issueId },
      data: { state: 'closed', closedAt: new Date(), closedById: byId },
      select: { id: true },
    });
    await recordSystemNotes(tx, { issueId }, byId, [`closed via merge request !${iid}`]);
    await countOpen(tx, project.id, -countOf(issue));
    if (byId === null) continue;
    await recordIssueEvent(tx, issue, 'close', byId);
    const event = { id: issueId, action: 'close', actorId: byId, before: issue } as const;
    await notifyIssueChange(tx, issue, event, parts);
  }
}
