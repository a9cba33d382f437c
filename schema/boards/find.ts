import type { Transaction } from '../../prisma/client.ts';
import { findIssueProject } from '../issues/find.ts';
import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';

/** The project `ref`, if it has issues and `rule` holds for the viewer's level in it. */
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
 * Keeps everybody else from arranging a board's lists until the transaction ends; refuses a board
 * that is not the project's.
 */
export async function lockBoard(tx: Transaction, projectId: number, id: number): Promise<void> {
  const found = await tx.$queryRaw<object[]>`
    SELECT id FROM boards WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`;
  if (found.length === 0) throw notFound('Board');
}
