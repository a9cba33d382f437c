import { once } from 'node:events';
import { argv, exit, stderr, stdout } from 'node:process';
import { Worker } from 'node:worker_threads';
import { openSession } from './client.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import {
  differences,
  forgetInterrupted,
  recordVersion,
  requireOwnDatabase,
} from './migration-history.ts';
import type { PendingWork } from './migration-worker.ts';

/** Any number that no other advisory lock uses; Prisma's own tools hold 72707369. */
const lockKey = 77_301_420;

/**
 * Applies pending migrations to the database at `url` and returns their names. A migration and its
 * record are one transaction, so a kill leaves both or neither; concurrent starts wait for each
 * other. Throws for the database of a newer version or another program, unless `migrations` says which to apply.
 */
export async function applyMigrations(
  url: string,
  migrations?: readonly Migration[],
): Promise<readonly string[]> {
  const wanted = migrations ?? (await readMigrations());
  const session = await openSession(url);
  try {
    const state = await differences(session, wanted);
    if (!migrations) requireOwnDatabase(state);
    // the engine is large: load it only when there are migrations to apply
    if (state.pending.length === 0) return [];
    await session.query('SELECT pg_advisory_lock($1)', [lockKey]);
    // another start may have applied them meanwhile
    if ((await differences(session, wanted)).pending.length === 0) return [];
    await forgetInterrupted(session);
    const applied = await applyPending(url, wanted);
    await recordVersion(session);
    return applied;
  } finally {
    await session.end();
  }
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
