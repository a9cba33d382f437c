import type { Prisma, Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, rejected } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { hasUnresolved } from '../merging/unresolved.ts';
import { updateCounters } from '../noteables/counting.ts';
import type { Noteable } from '../noteables/find.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { sentences } from '../system-notes/sentences.ts';
import type { FoundDiscussion } from './find.ts';
import { canResolve, isResolvable } from './policy.ts';

/** Resolves all notes of a discussion, or opens it again. */
export async function resolveDiscussion(
  noteable: Noteable,
  { startedBy, isResolvable: isThread }: FoundDiscussion,
  isResolved: boolean,
  ctx: Context,
): Promise<void> {
  if (!isThread || !canResolve(signedIn(ctx), noteable)) throw forbidden();
  await setResolved(noteable, { startedBy }, isResolved, ctx);
}

/** Resolves a note, or opens it again. */
export async function resolveNote(
  noteable: Noteable,
  noteId: number,
  isResolved: boolean,
  ctx: Context,
): Promise<void> {
  if (!canResolve(signedIn(ctx), noteable)) throw forbidden();
  const thread = await ctx.db.threadNote.findUnique({ where: { noteId } });
  if (!isResolvable(thread)) throw rejected('400 (Bad request) "Note is not resolvable" not given');
  await setResolved(noteable, { noteId }, isResolved, ctx);
}

const setResolved = (
  noteable: Noteable,
  where: Prisma.ThreadNoteWhereInput,
  isResolved: boolean,
  ctx: Context,
): Promise<void> =>
  transact(ctx.db, async (tx) => {
    // locks the merge request, so that one of several users who resolve its last discussions is noted
    await updateCounters(tx, noteable, {});
    const { id } = signedIn(ctx);
    const { count } = await tx.threadNote.updateMany({
      where: {
        ...where,
        mergeRequestId: noteable.id,
        resolvedAt: isResolved ? null : { not: null },
      },
      data: isResolved
        ? { resolvedAt: new Date(), resolvedById: id }
        : { resolvedAt: null, resolvedById: null },
    });
    if (isResolved && count > 0) await recordIfAllResolved(tx, noteable.id, id);
  });

async function recordIfAllResolved(tx: Transaction, mergeRequestId: number, userId: number) {
  if (await hasUnresolved(tx, mergeRequestId)) return;
  await recordSystemNotes(tx, { mergeRequestId }, userId, [sentences.resolvedAll]);
}
