import type { Transaction } from '../../prisma/client.ts';
import { routeKey } from './names.ts';

/** An id for a namespace before its row exists: `ancestor_ids` holds the row's own id. */
export async function nextNamespaceId(db: Transaction): Promise<number> {
  const [row] = await db.$queryRaw<[{ id: number }]>`
    SELECT nextval(pg_get_serial_sequence('namespaces', 'id'))::int AS id`;
  return row.id;
}

/** Whether a user, group or project has this full path, or one had it and left a redirect. */
export async function isPathTaken(db: Transaction, fullPath: string): Promise<boolean> {
  const key = routeKey(fullPath);
  const [route, former] = await Promise.all([
    db.route.findUnique({ where: { key }, select: { key: true } }),
    db.formerPath.findUnique({ where: { key }, select: { key: true } }),
  ]);
  return route !== null || former !== null;
}
