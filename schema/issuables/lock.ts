import { Prisma, type Transaction } from '../../prisma/client.ts';
import { recordNotFound } from '../kernel/errors.ts';
import type { IssuableKind } from './kinds.ts';

/**
 * Locks an issue or merge request until the transaction ends. Lock it before its project's row, to
 * avoid deadlocks. With `isLast` (before a deletion) rows that refer to it cannot be added either.
 * Read the row after this: the locking statement may return values from before the wait.
 */
export async function lockRow(
  tx: Transaction,
  { table }: IssuableKind,
  id: number,
  { isLast = false } = {},
): Promise<void> {
  const lock = Prisma.raw(isLast ? 'FOR UPDATE' : 'FOR NO KEY UPDATE');
  const [row] = await tx.$queryRaw<unknown[]>`SELECT id FROM ${table} WHERE id = ${id} ${lock}`;
  if (!row) throw recordNotFound();
}
