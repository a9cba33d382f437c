import type { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound, rejected, unauthenticated } from '../kernel/errors.ts';
import { isStorable } from '../kernel/storable.ts';
import { isUniqueViolation, transact } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { LfsProject } from './access.ts';
import { canForceUnlock } from './policy.ts';

const selection = {
  id: true,
  path: true,
  createdAt: true,
  userId: true,
  user: { select: { username: true } },
} as const;

/** A locked path of a project, with the user who locked it. */
export type LfsLock = Prisma.LfsLockGetPayload<{ select: typeof selection }>;

/** The caller of an operation on the locks of a project that the caller may push to. */
interface LockCaller {
  readonly project: LfsProject;
  /** Null for a deploy key, which has no locks. */
  readonly viewer: Viewer | null;
}

type Database = Pick<Context, 'db'>;

/** Bytes; an index contains each path. */
const longestPath = 1_024;

/** Locks a path for the caller; gives the lock that another request has created before, if any. */
export async function createLock(
  path: string,
  { project, viewer }: LockCaller,
  { db }: Database,
): Promise<{ readonly lock: LfsLock; readonly isNew: boolean }> {
  if (!viewer) throw unauthenticated();
  if (path === '' || !isStorable(path) || Buffer.byteLength(path) > longestPath) {
    throw rejected(`The path must have 1 to ${longestPath} bytes`);
  }
  const projectId = project.id;
  try {
    const data = { projectId, path, userId: viewer.id };
    return { lock: await db.lfsLock.create({ data, select: selection }), isNew: true };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const where = { projectId_path: { projectId, path } };
    const lock = await db.lfsLock.findUnique({ where, select: selection });
    // unlocked in between
    if (!lock) return createLock(path, { project, viewer }, { db });
    return { lock, isNew: false };
  }
}

/** Which locks of a project to list. */
export interface LockFilter {
  readonly path?: string | undefined;
  readonly id?: number | undefined;
  /** The id of the last lock of the page before. */
  readonly after?: number | undefined;
  /** Rows; at most `largestLockPage`. */
  readonly limit: number;
}

export const largestLockPage = 100;

/** A page of the locks of a project, oldest first; `next` is the `after` of the next page. */
export async function listLocks(
  projectId: number,
  { path, id, after = 0, limit }: LockFilter,
  { db }: Database,
): Promise<{ readonly locks: readonly LfsLock[]; readonly next: number | null }> {
  const rows = await db.lfsLock.findMany({
    where: {
      projectId,
      ...(path !== undefined && { path }),
      id: { gt: after, ...(id !== undefined && { equals: id }) },
    },
    orderBy: { id: 'asc' },
    take: limit + 1,
    select: selection,
  });
  const locks = rows.slice(0, limit);
  return { locks, next: rows.length > limit ? (locks.at(-1)?.id ?? null) : null };
}

/**
 * Deletes a lock and returns it. Locks of other users need `isForced` and a master. Throws `notFound` for
 * one of another project.
 */
export const deleteLock = (
  { id, isForced }: { readonly id: number; readonly isForced: boolean },
  { project, viewer }: LockCaller,
  { db }: Database,
): Promise<LfsLock> =>
  transact(db, async (tx) => {
    const where = { id, projectId: project.id };
    const lock = await tx.lfsLock.findFirst({ where, select: selection });
    if (!lock) throw recordNotFound();
    if (lock.userId !== viewer?.id) {
      if (!isForced) throw forbidden(`The path is locked by ${lock.user.username}`);
      if (!canForceUnlock(project.level)) throw forbidden('Only masters unlock paths of others');
    }
    const { count } = await tx.lfsLock.deleteMany({ where });
    if (count === 0) throw recordNotFound();
    return lock;
  });
