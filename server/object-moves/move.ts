import { type Database, Prisma, type Transaction } from '../../prisma/client.ts';
import { transact } from '../../schema/kernel/storage-errors.ts';
import { asideOf, jobOfKey } from '../job-files/paths.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { type ObjectKind, type ObjectPlaces, placesOf } from '../objects/places.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { isIncoming } from '../uploads/paths.ts';

/**
 * What became of an object: it has moved; it was there already, as after a kill; or it stays, because no
 * record names it, or its job is running or changing it.
 */
export type MoveResult = 'moved' | 'removed' | 'left';

export interface MovedObject {
  readonly key: string;
  readonly result: MoveResult;
}

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
 * `before` stay. Can be repeated after a kill: an object is removed only once its copy is complete.
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
    yield { key, result: await moveObject(key, move) };
  }
}

async function moveObject(key: string, move: Move): Promise<MoveResult> {
  const { db, kind, from } = move;
  if (!(await isMovable(key, kind, db))) return 'left';
  const file = await fileOf(key, move);
  if (!file) return 'left';
  try {
    const staged = await move.to.stage(key, file.path);
    let result: MoveResult = 'left';
    try {
      result = await whileLocked(key, move, async () => {
        const { places, to } = move;
        if ((await placesOf(places, kind).size(asideOf(key))) !== null) return 'left';
        // a local trace is never older than an archived one
        const isHere = !(kind === 'traces' && to === places.s3) && (await to.size(key)) !== null;
        if (!isHere) {
          if ((await from.size(key)) !== file.size) return 'left';
          await staged.complete();
          if ((await from.size(key)) === null) {
            // its owner was removed meanwhile
            await to.remove(key);
            return 'left';
          }
        }
        await from.remove(key);
        return isHere ? 'removed' : 'moved';
      });
    } finally {
      if (result !== 'moved') await staged.abandon().catch(() => undefined);
    }
    return result;
  } finally {
    await file.discard();
  }
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

/** Runs the end of a move while no server can replace the file of the job, or append to it. */
function whileLocked(
  key: string,
  { db, kind }: Move,
  work: () => Promise<MoveResult>,
): Promise<MoveResult> {
  // uploads never change, and have no row to lock
  if (kind === 'uploads') return work();
  return transact(db, async (tx) => ((await isMovable(key, kind, tx, true)) ? work() : 'left'));
}

/** Whether the record of a job names the file, and nothing writes it any more. Locks the job if asked. */
async function isMovable(
  key: string,
  kind: ObjectKind,
  db: Pick<Transaction, '$queryRaw'>,
  isLocked = false,
): Promise<boolean> {
  if (kind === 'uploads') return true;
  const job = jobOfKey(key);
  if (!job) return false;
  const condition =
    kind === 'traces'
      ? Prisma.sql`jobs.erased_at IS NULL AND jobs.finished_at < now() - interval '1 hour'`
      : Prisma.sql`jobs.artifacts_file IS NOT NULL`;
  const rows = await db.$queryRaw<unknown[]>`
    SELECT jobs.id FROM jobs JOIN projects ON projects.id = jobs.project_id
    WHERE jobs.id = ${job.id} AND jobs.project_id = ${job.projectId} AND NOT projects.is_removed
      AND ${condition}
    ${isLocked ? Prisma.sql`FOR NO KEY UPDATE OF jobs FOR SHARE OF projects` : Prisma.empty}`;
  return rows.length > 0;
}
