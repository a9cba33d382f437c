import type { Transaction } from '../../prisma/client.ts';
import { routeKey } from './names.ts';

/** An id for a namespace before its row exists: `ancestor_ids` holds the row's own id. */
export async function nextNamespaceId(db: Transaction): Promise<number> {
  const [row] = await db.$queryRaw<[{ id: number }]>`
    SELECT nextval(pg_get_serial_sequence('namespaces', 'id'))::int AS id`;
  return row.id;
}

/**
 * Whether a user, group or project has this full path, or a group or user other than `namespaceId`
 * had it: the redirect from there must not lead to another owner. The former path of a project is
 * free for everything that may be created in its namespace; the creator calls `endRedirect`.
 */
export async function isPathTaken(
  db: Transaction,
  fullPath: string,
  { namespaceId }: { readonly namespaceId?: number } = {},
): Promise<boolean> {
  const key = routeKey(fullPath);
  const [route, former] = await Promise.all([
    db.route.findUnique({ where: { key }, select: { key: true } }),
    db.formerPath.findUnique({ where: { key }, select: { namespaceId: true } }),
  ]);
  if (route !== null) return true;
  const formerOwner = former?.namespaceId ?? null;
  return formerOwner !== null && formerOwner !== namespaceId;
}

/** Ends the redirect from a full path that a new record takes. */
export async function endRedirect(tx: Transaction, fullPath: string): Promise<void> {
  await tx.formerPath.deleteMany({ where: { key: routeKey(fullPath) } });
}

/**
 * Keeps namespaces as they are until the transaction ends: nobody renames, narrows or removes them
 * meanwhile. In order of ids, so that two who hold several do not wait for each other.
 */
export async function holdNamespaces(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.$queryRaw`
    SELECT id FROM namespaces WHERE id = ANY(${[...ids]}::int[]) ORDER BY id FOR SHARE`;
}

/** Keeps everybody else from a namespace and from making anything below it. */
export async function lockNamespace(
  tx: Transaction,
  { id, ancestorIds }: { readonly id: number; readonly ancestorIds: readonly number[] },
): Promise<void> {
  await holdNamespaces(
    tx,
    ancestorIds.filter((above) => above !== id),
  );
  await tx.$queryRaw`SELECT id FROM namespaces WHERE id = ${id} FOR UPDATE`;
}

/** Full paths are keys of an index, whose rows have a limit. */
const longestPath = 1000;

/** What is wrong with a full path of so many characters; empty when nothing is. */
export const pathLengthFaults = (length: number): readonly string[] =>
  length > longestPath
    ? [`is too long with everything above it (maximum is ${longestPath} characters)`]
    : [];

/** What is wrong with the length of a full path; empty when nothing is. */
export const fullPathFaults = (fullPath: string): readonly string[] =>
  pathLengthFaults(fullPath.length);
