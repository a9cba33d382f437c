import type { Transaction } from '../../prisma/client.ts';
import { isWider, type Visibility } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, rejected } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { findProject } from '../projects/find.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { sentences } from '../system-notes/sentences.ts';
import { copyIssue, labelsByNameIn } from './copy.ts';
import { findIssue } from './find.ts';
import { lockIssue } from './lock.ts';
import { notifyIssueChange, recordIssueEvent } from './notify.ts';
import { countOf, countOpen, nextNumber } from './numbers.ts';
import { canMoveIssues, canReceiveIssues } from './policy.ts';

const notAllowed = () => rejected('Cannot move issue due to insufficient permissions!');

/**
 * Moves an issue: copies it into the project `to` with its notes, and closes the original. Gives
 * the copy's id. Reporters of both projects only; an issue can be moved once (v4-behaviour 3.3).
 */
export async function moveIssue(
  ref: string,
  iid: number,
  to: string,
  ctx: Context,
): Promise<number> {
  const viewer = signedIn(ctx);
  const { id, project, level } = await findIssue(ref, iid, ctx);
  const target = await findProject(to, ctx);
  if (target.id === project.id) {
    throw rejected('Cannot move issue to project it originates from!');
  }
  if (!canMoveIssues(level) || !canReceiveIssues(target.level, target)) throw notAllowed();
  return transact(ctx.db, async (tx) => {
    const before = await lockIssue(tx, id);
    if (before.movedToId !== null) throw notAllowed();
    const labelIds = await labelsByNameIn(tx, before, target);
    await lockProjects(tx, [project.id, target.id]);
    const number = await nextNumber(tx, target.id, countOf(before));
    const movedToId = await copyIssue(tx, before, target, number, labelIds);
    await tx.issue.update({
      where: { id },
      data: {
        movedToId,
        ...(before.state === 'opened' && {
          state: 'closed',
          closedAt: new Date(),
          closedById: viewer.id,
        }),
      },
      select: { id: true },
    });
    await countOpen(tx, project.id, -countOf(before));
    await recordSystemNotes(tx, { issueId: id }, viewer.id, [
      sentences.movedTo(referenceTo(target, number, project)),
    ]);
    await recordSystemNotes(tx, { issueId: movedToId }, viewer.id, [
      sentences.movedFrom(referenceTo(project, iid, target)),
    ]);
    const { isConfidential, title } = before;
    const closed = { id, action: 'close', actorId: viewer.id, before } as const;
    if (before.state === 'opened') {
      await recordIssueEvent(tx, before, closed.action, viewer.id);
      await notifyIssueChange(tx, before, closed, ctx);
    }
    const created = { id: movedToId, action: 'open', actorId: viewer.id } as const;
    const place = { projectId: target.id, isConfidential };
    await recordIssueEvent(
      tx,
      { ...place, id: movedToId, iid: number, title },
      created.action,
      viewer.id,
    );
    await notifyIssueChange(tx, place, created, ctx);
    return movedToId;
  });
}

interface Place {
  readonly fullPath: string;
  readonly visibility: Visibility;
}

/** `group/project#3`, or null if readers of `here` might not see `there`. */
const referenceTo = (there: Place, iid: number, here: Place): string | null =>
  isWider(here.visibility, there.visibility) ? null : `${there.fullPath}#${iid}`;

/** Ordered by id, so that two opposite moves do not deadlock. */
async function lockProjects(tx: Transaction, ids: readonly number[]): Promise<void> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT id FROM projects WHERE id = ANY(${[...ids]}::int[]) AND NOT is_removed
    ORDER BY id FOR NO KEY UPDATE`;
  if (locked.length < ids.length) throw notFound('Project');
}
