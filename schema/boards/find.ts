import type { Transaction } from '../../prisma/client.ts';
import { findIssueProject } from '../issues/find.ts';
import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';

/**
 * The project `ref`; throws unless issues are enabled there and `rule` holds for the viewer's
 * level.
 */
export async function findBoardProject(
  ref: string,
  ctx: Context,
  rule: (level: Access) => boolean,
) {
  const project = await findIssueProject(ref, ctx);
  if (!rule(project.level)) throw forbidden();
  return project;
}

/**
 * Locks a board's lists until the transaction ends; throws if the board does not belong to the
 * project.
 */
export async function lockBoard(tx: Transaction, projectId: number, id: number): Promise<void> {
  const board = await tx.$queryRaw<object[]>`
    SELECT id FROM boards WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`;
  if (board.length === 0) throw notFound('Board');
}
