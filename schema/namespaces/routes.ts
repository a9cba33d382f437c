import type { Transaction } from '../../prisma/client.ts';
import { routeKey } from '../kernel/names.ts';

/**
 * Reserves the id of a namespace before its row exists: `ancestor_ids` contains the row's own id.
 */
export async function nextNamespaceId(db: Transaction): Promise<number> {
  const [row] = await db.$queryRaw<[{ id: number }]>`
    SELECT nextval(pg_get_serial_sequence('namespaces', 'id'))::int AS id`;
  return row.id;
}

/**
 * Whether a user, group or project has this full path, or a group or user other than `namespaceId`
 * had it: its redirect must not lead to another owner. The former path of a project is free for
 * anything created in its namespace; the creator calls `endRedirect`.
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

/** Deletes the redirect from a full path that a new record takes over. */
export async function endRedirect(tx: Transaction, fullPath: string): Promise<void> {
  await tx.formerPath.deleteMany({ where: { key: routeKey(fullPath) } });
}

/** Full paths are index keys, whose rows have a size limit. */
const longestPath = 1000;

/** Messages for a full path of this length; empty if it is valid. */
export const pathLengthFaults = (length: number): readonly string[] =>
  length > longestPath
    ? [`is too long with everything above it (maximum is ${longestPath} characters)`]
    : [];

/** Messages for the length of a full path; empty if it is valid. */
export const fullPathFaults = (fullPath: string): readonly string[] =>
  pathLengthFaults(fullPath.length);
