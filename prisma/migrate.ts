import { once } from 'node:events';
import { argv, exit, stderr, stdout } from 'node:process';
import { Worker } from 'node:worker_threads';
import { openSession, type Session } from './client.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import type { PendingWork } from './migration-worker.ts';

/** Any number that no other advisory lock uses; Prisma's own tools hold 72707369. */
const lockKey = 77_301_420;

/**
 * Applies pending migrations to the database at `url` and returns their names. A migration and its
 * record are one transaction, so a kill leaves both or neither; concurrent starts wait for each
 * other. Throws for the database of a newer version, unless `migrations` says which to apply.
 */
export async function applyMigrations(
  url: string,
  migrations?: readonly Migration[],
): Promise<readonly string[]> {
  const wanted = migrations ?? (await readMigrations());
  const session = await openSession(url);
  try {
    const state = differences(await appliedNames(session), wanted);
    if (!migrations) refuseNewer(state);
    // the engine is large: load it only when there are migrations to apply
    if (state.pending.length === 0) return [];
    await session.query('SELECT pg_advisory_lock($1)', [lockKey]);
    // another start may have applied them meanwhile
    if (differences(await appliedNames(session), wanted).pending.length === 0) return [];
    await forgetInterrupted(session);
    return await applyPending(url, wanted);
  } finally {
    await session.end();
  }
}

/** How the migrations of a database differ from those of this version; both lists have the oldest first. */
export interface MigrationDifferences {
  /** The database lacks these. */
  readonly pending: readonly string[];
  /** This version lacks these: the database is newer. */
  readonly unknown: readonly string[];
}

/** Compares the database at `url` with this version. */
export async function migrationDifferences(url: string): Promise<MigrationDifferences> {
  const session = await openSession(url);
  try {
    return differences(await appliedNames(session), await readMigrations());
  } finally {
    await session.end();
  }
}

function differences(
  applied: ReadonlySet<string>,
  migrations: readonly Migration[],
): MigrationDifferences {
  const names = migrations.map(({ name }) => name);
  return {
    pending: names.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !names.includes(name)).sort(),
  };
}

/** This version could not keep what a newer one has added to the tables. */
function refuseNewer({ unknown }: MigrationDifferences): void {
  if (unknown.length === 0) return;
  throw new Error(
    `The database has migrations of a newer Millrace (${unknown.join(', ')}): install that version, or restore the backup of before its start.`,
  );
}

async function hasHistory(session: Session): Promise<boolean> {
  const { rows } = await session.query(`SELECT to_regclass('_prisma_migrations') AS history`);
  return rows[0]?.history !== null;
}

/** The names of the migrations that are applied to the database of `session`. */
export async function appliedNames(session: Session): Promise<ReadonlySet<string>> {
  if (!(await hasHistory(session))) return new Set();
  const { rows } = await session.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Deletes the record of a migration that a killed start did not finish; the database rolled it back. */
async function forgetInterrupted(session: Session): Promise<void> {
  if (!(await hasHistory(session))) return;
  await session.query(
    `UPDATE _prisma_migrations SET rolled_back_at = now()
     WHERE finished_at IS NULL AND rolled_back_at IS NULL`,
  );
}

/** Runs in a thread, to free the engine's hundred megabytes afterwards. */
async function applyPending(url: string, migrations: readonly Migration[]) {
  const work: PendingWork = { url, migrations };
  const worker = new Worker(new URL('./migration-worker.ts', import.meta.url), {
    workerData: work,
  });
  const exit = once(worker, 'exit').then(([code]) => {
    throw new Error(`The thread that applies migrations ended with code ${code}.`);
  });
  exit.catch(() => {});
  const [applied] = (await Promise.race([once(worker, 'message'), exit])) as [readonly string[]];
  await worker.terminate();
  return applied;
}

if (import.meta.main) {
  try {
    // development only: replays the history in a database that is not installed in production
    const { writeMigration } = await import('./new-migration.ts');
    stdout.write(`${await writeMigration(argv[2] ?? '')}\n`);
  } catch (error) {
    stderr.write(`${(error as Error).message}\n`);
    exit(1);
  }
}
