import { Prisma, type Transaction } from '../../prisma/client.ts';
import { list } from '../kernel/sql.ts';
import { insufficientLocks } from '../kernel/storage-errors.ts';

interface LockedNamespace {
  readonly id: number;
  readonly ancestorIds: readonly number[];
}

/** An ancestor before its descendants, and otherwise by id: everywhere the same, to avoid deadlocks. */
const rootFirst = Prisma.raw('ORDER BY cardinality(ancestor_ids), id');

/** The ids of these namespaces and of all above them. */
const withAncestors = (ids: readonly number[]): Prisma.Sql => Prisma.sql`ARRAY(
  SELECT DISTINCT unnest(ancestor_ids) FROM namespaces WHERE id = ANY(${list(ids)}))`;

/**
 * Locks namespaces and all above them in share mode: until the transaction ends, none can be
 * renamed, transferred, restricted or removed. The transaction is retried if one of them was
 * transferred meanwhile, which is why callers read what they need of a namespace after this.
 */
export async function shareLockNamespaces(tx: Transaction, ids: readonly number[]): Promise<void> {
  refuseMoved(
    await tx.$queryRaw<LockedNamespace[]>`
      SELECT id, ancestor_ids AS "ancestorIds" FROM namespaces
      WHERE id = ANY(${withAncestors(ids)}) ${rootFirst} FOR SHARE`,
  );
}

/**
 * Locks a namespace for writing: no other transaction can change it or create anything below it.
 * Those above it and the other namespaces, with all above them, are locked in share mode.
 */
export async function lockNamespace(
  tx: Transaction,
  { id }: { readonly id: number },
  others: readonly number[] = [],
): Promise<void> {
  const namespaces = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM namespaces WHERE id = ANY(${withAncestors([id, ...others])}) ${rootFirst}`;
  const ids = namespaces.map((namespace) => namespace.id);
  const position = ids.indexOf(id);
  refuseMoved([
    ...(await lockRows(tx, ids.slice(0, Math.max(position, 0)), 'SHARE')),
    ...(await lockRows(tx, [id], 'UPDATE')),
    ...(await lockRows(tx, ids.slice(position + 1), 'SHARE')),
  ]);
}

async function lockRows(
  tx: Transaction,
  ids: readonly number[],
  mode: 'SHARE' | 'UPDATE',
): Promise<readonly LockedNamespace[]> {
  if (ids.length === 0) return [];
  return tx.$queryRaw<LockedNamespace[]>`
    SELECT id, ancestor_ids AS "ancestorIds" FROM namespaces
    WHERE id = ANY(${list(ids)}) ${rootFirst} FOR ${Prisma.raw(mode)}`;
}

/** A locked row has the ancestors of now: after a transfer, those of before have been locked. */
export function refuseMoved(locked: readonly LockedNamespace[]): void {
  const held = new Set(locked.map(({ id }) => id));
  const isMoved = locked.some(({ ancestorIds }) => ancestorIds.some((id) => !held.has(id)));
  if (isMoved) throw insufficientLocks;
}
