import { parentPort, workerData } from 'node:worker_threads';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import { migrationAdapter } from './client.ts';
import { everything, withEngine } from './migration-engine.ts';
import { type Migration, migrationList } from './migration-files.ts';

/** The thread's input: the database at `url`, and the `migrations` to apply. */
export interface PendingWork {
  readonly url: string;
  readonly migrations: readonly Migration[];
}

const { url, migrations } = workerData as PendingWork;
const scripts = new Set(migrations.map(({ sql }) => sql));

/** The script, followed by the record that the engine would write in a separate transaction. */
const marked = (script: string) => `${script}
;UPDATE _prisma_migrations SET finished_at = now()
WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

const runScript = (script: string, adapter: SqlDriverAdapter) =>
  // statements sent together without parameters are one transaction
  adapter.executeRaw({
    sql: scripts.has(script) ? marked(script) : script,
    args: [],
    argTypes: [],
  });

const applied = await withEngine({ factory: migrationAdapter(url), runScript }, (engine) =>
  engine.applyMigrations({ migrationsList: migrationList(migrations), filters: everything }),
);

parentPort?.postMessage(applied.appliedMigrationNames);
