import { type Database, Prisma, type Transaction } from '../../prisma/client.ts';
import { ObjectsUnavailable } from '../../schema/kernel/outage.ts';
import { transact } from '../../schema/kernel/storage-errors.ts';
import { isRecorded } from '../../schema/lfs/objects.ts';
import { asideOf, jobOfKey } from '../job-files/paths.ts';
import { oidOfKey } from '../lfs/paths.ts';
import type { ObjectKind } from '../objects/kinds.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { type ObjectPlaces, placesOf } from '../objects/places.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { isIncoming } from '../uploads/paths.ts';

/**
 * The result for an object: it has moved; its copy was there already, as after a kill; or it stays, because
 * no record names it, its job is running, or it could not be read (`fault`).
 */
export interface MovedObject {
  readonly key: string;
  readonly result: 'moved' | 'removed' | 'left';
  readonly fault?: string;
}

type MoveResult = MovedObject['result'];

interface MoveParts {
  readonly db: Database;
  readonly places: ObjectPlaces;
  /** Receives what is downloaded from S3, on the file system of the data folder. */
  readonly incoming: Pick<Incoming, 'receive' | 'discard'>;
}

/** The sides of a move. */
interface Move extends MoveParts {
  readonly kind: ObjectKind;
  readonly from: ObjectStore;
  readonly to: ObjectStore;
}

/**
 * Moves the objects of a kind to the place for new ones, while servers run. Objects that have changed since
 * `before` stay. Can be repeated after a kill: an object is removed only once its copy is complete. Rejects
 * if the store cannot be reached.
 */
export async function* moveObjects(
  kind: ObjectKind,
  parts: MoveParts,
  before?: Date,
): AsyncGenerator<MovedObject> {
  const { local, s3, writes } = parts.places;
  if (!s3) return;
  const [from, to] = writes === 's3' ? [local, s3] : [s3, local];
  const move = { ...parts, kind, from, to };
  for await (const { key, stats } of from.list(`${kind}/`)) {
    const [, owner = ''] = key.split('/');
    if (isIncoming(owner)) continue;
    const changedAt = before && (await stats())?.changedAt;
    if (before && (!changedAt || changedAt >= before)) continue;
    try {
      yield { key, result: await moveObject(key, move) };
    } catch (error) {
      if (error instanceof ObjectsUnavailable) throw error;
      yield { key, result: 'left', fault: (error as Error).message };
    }
  }
}

async function moveObject(key: string, move: Move): Promise<MoveResult> {
  if (!(await isMovable(key, move.kind, move.db))) return 'left';
  const file = await fileOf(key, move);
  if (!file) return 'left';
  try {
    const staged = await move.to.stage(key, file.path);
    let result: MoveResult = 'left';
    try {
      result = await whileLocked(key, move, async (requireLock) => {
        const arrived = await sizeAtTarget(key, move);
        // another content is newer, and not ours to judge
        if (arrived !== null && arrived !== file.size) return 'left';
        if (arrived === null) {
          if ((await move.from.size(key)) !== file.size) return 'left';
          await staged.complete();
        }
        await requireLock();
        const size = await move.from.size(key);
        // its owner was removed meanwhile
        if (size === null) await move.to.remove(key);
        if (size !== file.size) return 'left';
        await move.from.remove(key);
        return arrived === null ? 'moved' : 'removed';
      });
    } finally {
      if (result !== 'moved') await staged.abandon().catch(() => undefined);
    }
    return result;
  } finally {
    await file.discard();
  }
}

/** Bytes of an object that has arrived already; null if it has not, or if its source is newer. */
async function sizeAtTarget(key: string, { places, kind, to }: Move): Promise<number | null> {
  // a local trace is never older than an archived one
  if (kind === 'traces' && to === places.s3) return null;
  return to.size(key);
}

/** A local file with the content of an object; null if that has been removed. */
async function fileOf(key: string, { places, from, incoming }: Move) {
  if (from === places.local) {
    const size = await from.size(key);
    // it stays where it is until it is removed
    return size === null ? null : { path: from.locationOf(key), size, discard: async () => {} };
  }
  const reader = await from.open(key);
  if (!reader) return null;
  const file = await incoming.receive('object', reader.stream());
  return { path: file.path, size: reader.size, discard: () => incoming.discard(file) };
}

/**
 * Runs the end of a move while no server can replace the file of the job, or append to it. `requireLock`
 * rejects if the database has ended the transaction, as it does when the store takes too long.
 */
function whileLocked(
  key: string,
  { db, kind, places }: Move,
  work: (requireLock: () => Promise<void>) => Promise<MoveResult>,
): Promise<MoveResult> {
  // uploads never change, and have no row to lock
  if (kind === 'uploads') return work(async () => {});
  return transact(db, async (tx) => {
    const requireLock = async () => {
      await tx.$queryRaw`SELECT 1 AS held`;
    };
    const oid = oidOfKey(key);
    if (kind === 'lfs') return oid && (await isRecorded(tx, oid)) ? work(requireLock) : 'left';
    if (!(await isMovable(key, kind, tx, true))) return 'left';
    if ((await placesOf(places, kind).size(asideOf(key))) !== null) return 'left';
    return work(requireLock);
  });
}

/**
 * Whether the record of a job names the file, and nothing writes it any more. Locks the project and the job
 * if `isLocked`.
 */
async function isMovable(
  key: string,
  kind: ObjectKind,
  db: Pick<Transaction, '$queryRaw'>,
  isLocked = false,
): Promise<boolean> {
  if (kind === 'uploads') return true;
  // its record is looked up with the object locked
  if (kind === 'lfs') return oidOfKey(key) !== null;
  const job = jobOfKey(key);
  if (!job) return false;
  const [forShare, forUpdate] = isLocked
    ? [Prisma.sql`FOR SHARE`, Prisma.sql`FOR NO KEY UPDATE`]
    : [Prisma.empty, Prisma.empty];
  const projects = await db.$queryRaw<unknown[]>`
    SELECT id FROM projects WHERE id = ${job.projectId} AND NOT is_removed ${forShare}`;
  const condition =
    kind === 'traces'
      ? Prisma.sql`erased_at IS NULL AND finished_at < now() - interval '1 hour'`
      : Prisma.sql`artifacts_file IS NOT NULL`;
  const jobs = await db.$queryRaw<unknown[]>`
    SELECT id FROM jobs WHERE id = ${job.id} AND project_id = ${job.projectId} AND ${condition}
    ${forUpdate}`;
  return projects.length > 0 && jobs.length > 0;
}
