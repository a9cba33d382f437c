import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, unavailable } from '../kernel/errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { LedgerChange } from './releases.ts';

/** A key that no other advisory lock of two numbers uses. */
const lockSpace = 0x6d6f7665;

/** Seconds; a move refuses writes for about as long as git needs for the latest changes. */
const movesWithin = 10;

/** The error of a write while its repository moves to another storage. */
export const repositoryMoving = () =>
  unavailable(
    movesWithin,
    'The repository is being moved to another storage. Try again in a minute.',
    'outage',
  );

/** A push, as the ledger keeps it until it is settled. */
export interface LedgerEntry {
  readonly projectId: number;
  readonly userId: number;
  readonly changes: readonly LedgerChange[];
}

/**
 * Whether the repository of a row of `projects` is at this address and does not move. The lock is held
 * until the transaction ends; it is not waited for, because a move takes longer than a request may.
 */
const isAt = ({ storage, diskPath }: RepositoryAddress): Prisma.Sql => Prisma.sql`
  (storage = ${storage} AND disk_path = ${diskPath}
    AND pg_try_advisory_xact_lock_shared(${lockSpace}::int, projects.id))`;

/**
 * Enters a push in the ledger before its references move, and returns the entry's id. Throws
 * `repositoryMoving` if the repository is no longer at `repository`, or is about to leave it: a
 * reference that moves there would be lost.
 */
export async function enterPush(
  { projectId, userId, changes }: LedgerEntry,
  repository: RepositoryAddress,
  { db }: Pick<Context, 'db'>,
): Promise<bigint> {
  // a statement may have read the row before a move has committed: only this lock conflicts with the
  // change of the address, and reads the row again
  const [entry] = await db.$queryRaw<{ id: bigint }[]>`
    INSERT INTO pushes (project_id, user_id, changes)
    SELECT projects.id, ${userId}, ${JSON.stringify(changes)}::jsonb FROM projects
    WHERE projects.id = ${projectId} AND NOT is_removed AND ${isAt(repository)}
    FOR SHARE OF projects
    RETURNING id`;
  if (!entry) throw repositoryMoving();
  return entry.id;
}

/**
 * Enters a write whose references are not compared later, such as that of a wiki: a move waits for
 * it, and the next start deletes its entry after a kill. Returns the entry's id; throws as
 * `enterPush` does, and `notFound` if the project is removed.
 */
export async function enterWrite(
  projectId: number,
  userId: number,
  repository: RepositoryAddress,
  parts: Pick<Context, 'db'>,
): Promise<bigint> {
  try {
    return await enterPush({ projectId, userId, changes: [] }, repository, parts);
  } catch (error) {
    const where = { id: projectId, isRemoved: false };
    throw (await parts.db.project.count({ where })) > 0 ? error : notFound('Project');
  }
}

/** Refuses all further pushes to a project until the transaction ends. */
export async function holdPushes(tx: Transaction, projectId: number): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 AS held FROM pg_advisory_xact_lock(${lockSpace}::int, ${projectId}::int)`;
}
