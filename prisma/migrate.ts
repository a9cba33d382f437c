import { argv, exit, stderr, stdout } from 'node:process';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import { migrationAdapter, openSession, type Session } from './client.ts';
import { everything, withEngine } from './migration-engine.ts';
import { type Migration, migrationList, readMigrations } from './migration-files.ts';

/** Any number that no other advisory lock uses; Prisma's own tools hold 72707369. */
const lockKey = 77_301_420;

/**
 * Brings the database at `url` up to date and gives the names of what it applied. A migration and
 * its mark are one transaction, so a kill leaves both or neither; processes that start at the same
 * moment wait for each other.
 */
export async function applyMigrations(
  url: string,
  migrations?: readonly Migration[],
): Promise<readonly string[]> {
  const wanted = migrations ?? (await readMigrations());
  const session = await openSession(url);
  try {
    // the engine is large: it is not even loaded while there is nothing to do
    if (await areAllApplied(session, wanted)) return [];
    await session.query('SELECT pg_advisory_lock($1)', [lockKey]);
    if (await areAllApplied(session, wanted)) return [];
    await forgetInterrupted(session);
    return await applyPending(url, wanted);
  } finally {
    await session.end();
  }
}

async function hasHistory(session: Session): Promise<boolean> {
  const { rows } = await session.query(`SELECT to_regclass('_prisma_migrations') AS history`);
  return rows[0]?.history !== null;
}

async function areAllApplied(session: Session, migrations: readonly Migration[]) {
  if (!(await hasHistory(session))) return false;
  const { rows } = await session.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  const applied = new Set(rows.map(({ name }) => name));
  return migrations.every(({ name }) => applied.has(name));
}

/** A start that died within a migration left its row open; the database undid all the rest. */
async function forgetInterrupted(session: Session): Promise<void> {
  if (!(await hasHistory(session))) return;
  await session.query(
    `UPDATE _prisma_migrations SET rolled_back_at = now()
     WHERE finished_at IS NULL AND rolled_back_at IS NULL`,
  );
}

async function applyPending(url: string, migrations: readonly Migration[]) {
  const scripts = new Set(migrations.map(({ sql }) => sql));
  const runScript = (script: string, adapter: SqlDriverAdapter) =>
    // statements sent together without parameters are one transaction
    adapter.executeRaw({
      sql: scripts.has(script) ? marked(script) : script,
      args: [],
      argTypes: [],
    });
  return withEngine({ factory: migrationAdapter(url), runScript }, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: migrationList(migrations),
      filters: everything,
    });
    return appliedMigrationNames;
  });
}

/** The script, and after it the mark that the engine would set in a transaction of its own. */
function marked(script: string): string {
  return `${script}
;UPDATE _prisma_migrations SET finished_at = now()
WHERE finished_at IS NULL AND rolled_back_at IS NULL`;
}

if (import.meta.main) {
  try {
    // development only: it replays the history in a database that production does not install
    const { writeMigration } = await import('./new-migration.ts');
    stdout.write(`${await writeMigration(argv[2] ?? '')}\n`);
  } catch (error) {
    stderr.write(`${(error as Error).message}\n`);
    exit(1);
  }
}
