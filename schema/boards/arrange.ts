import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { invalid, recordNotFound } from '../kernel/errors.ts';
import { onRecordMissing, onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { availableLabels } from '../labels/available.ts';
import { findBoardProject, lockBoard } from './find.ts';
import { canArrangeLists, canDeleteLists } from './policy.ts';
import { type BoardListRecord, readList } from './read.ts';

/** A board or a list of it: `project` is an id or a full path. */
export interface BoardRef {
  readonly project: string;
  readonly board: number;
}

export interface BoardListRef extends BoardRef {
  readonly id: number;
}

const noLabel = () => invalid({ base: ['Label not found!'] });

/**
 * Adds a list to a board; reporters only. Throws if the label belongs neither to the project nor to
 * an ancestor group, or has a list already (v4-behaviour 2.7).
 */
export async function addList(
  { project: ref, board }: BoardRef,
  labelId: number,
  ctx: Context,
): Promise<BoardListRecord> {
  const project = await findBoardProject(ref, ctx, canArrangeLists);
  return (
    transact(ctx.db, async (tx) => {
      await lockBoard(tx, project.id, board);
      const label = await tx.label.findFirst({
        where: { id: labelId, ...availableLabels(project) },
        select: { id: true },
      });
      if (!label) throw noLabel();
      const { _max: last } = await tx.boardList.aggregate({
        where: { boardId: board, removedAt: null },
        _max: { position: true },
      });
      const list = await tx.boardList.create({
        data: { boardId: board, labelId, position: (last.position ?? -1) + 1 },
        select: { id: true },
      });
      return readList(project.id, board, list.id, tx);
    })
      .catch(onUniqueViolation(() => invalid({ labelId: ['has already been taken'] })))
      // the label was deleted since it was looked up
      .catch(onRecordMissing(noLabel))
  );
}

/**
 * Moves a list to another position; reporters only. The lists in between shift by one. Throws if
 * the position is the current one or out of range.
 */
export async function moveList(
  { project: ref, board, id }: BoardListRef,
  position: number,
  ctx: Context,
): Promise<BoardListRecord> {
  const { id: projectId } = await findBoardProject(ref, ctx, canArrangeLists);
  return transact(ctx.db, async (tx) => {
    await lockBoard(tx, projectId, board);
    const lists = await tx.boardList.findMany({
      where: { boardId: board, removedAt: null },
      select: { id: true, position: true },
      orderBy: { position: 'asc' },
    });
    const from = lists.findIndex((list) => list.id === id);
    if (from === -1) throw recordNotFound();
    if (position === from || position < 0 || position >= lists.length) {
      throw invalid({ position: ['List could not be moved!'] });
    }
    const order = lists.toSpliced(from, 1).toSpliced(position, 0, ...lists.slice(from, from + 1));
    await reassignPositions(
      tx,
      board,
      order.flatMap((list, rank) => {
        const place = lists[rank]?.position ?? rank;
        return place === list.position ? [] : [{ id: list.id, place }];
      }),
    );
    await tx.boardList.updateMany({ where: { id }, data: { updatedAt: new Date() } });
    return readList(projectId, board, id, tx);
  });
}

/** Positions are unique at every moment: clear all positions before setting the new ones. */
async function reassignPositions(
  tx: Transaction,
  board: number,
  moves: readonly { readonly id: number; readonly place: number }[],
): Promise<void> {
  const ids = moves.map(({ id }) => id);
  const places = moves.map(({ place }) => place);
  await tx.$executeRaw`
    UPDATE board_lists SET position = -1 - moved.place
    FROM unnest(${ids}::int[], ${places}::int[]) AS moved(id, place)
    WHERE board_lists.id = moved.id`;
  await tx.$executeRaw`
    UPDATE board_lists SET position = -1 - position
    WHERE board_id = ${board} AND removed_at IS NULL AND position < 0`;
}

/** Removes a list from its board; masters only. Its row is kept; its label may get a new list. */
export async function removeList(
  { project: ref, board, id }: BoardListRef,
  ctx: Context,
): Promise<void> {
  const { id: projectId } = await findBoardProject(ref, ctx, canDeleteLists);
  await transact(ctx.db, async (tx) => {
    await lockBoard(tx, projectId, board);
    const list = await tx.boardList.findFirst({ where: { id, boardId: board, removedAt: null } });
    if (!list) throw recordNotFound();
    refuseModified(list, ctx);
    await tx.boardList.updateMany({ where: { id }, data: { removedAt: new Date() } });
  });
}
