import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openSession } from '../../prisma/client.ts';
import { startEmbedded } from '../../prisma/embedded.ts';
import { applyMigrations } from '../../prisma/migrate.ts';
import { openQueue } from '../../server/jobs/queue.ts';
import { compileCacheVariable } from './compile-cache.ts';
import { contractVariable } from './contract/variable.ts';
import { databaseAt } from './database.ts';
import { makeRunFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of this run, with a database that no test uses. */
    databaseUrl: string;
  }
}

/** This data does not need to survive a crash; tests of durability start their own servers. */
const careless = [
  'fsync = off',
  'full_page_writes = off',
  "max_wal_size = '1GB'",
  "checkpoint_timeout = '1h'",
];

type Stop = () => Promise<void>;

/**
 * One real PostgreSQL for the run, with a migrated database that each file clones. `startMore` starts
 * what a run has besides, given the URL of that PostgreSQL.
 */
export default async function setup(
  project: TestProject,
  startMore: (databaseUrl: string) => Promise<Stop> = async () => async () => {},
) {
  const folder = makeRunFolder();
  // the workers and the programs that they start inherit both
  process.env.TMPDIR = folder;
  process.env[compileCacheVariable] = join(folder, 'compiled');
  if (!process.env[contractVariable]) {
    const contract = join(folder, 'openapi.json');
    execFileSync(process.execPath, ['server/openapi/print.ts', contract]);
    process.env[contractVariable] = contract;
  }
  const database = await startEmbedded({ folder: join(folder, 'postgres'), log: () => {} });
  const session = await openSession(database.url);
  for (const setting of careless) await session.query(`ALTER SYSTEM SET ${setting}`);
  await session.query('SELECT pg_reload_conf()');
  await session.query('CREATE DATABASE template');
  await session.end();
  const template = databaseAt(database.url, 'template');
  await applyMigrations(template);
  // each clone has the tables of the queue, so that no server spends half a second on them
  const queue = await openQueue(template, { onError: () => {} });
  await queue.stop();
  project.provide('databaseUrl', database.url);
  const stopMore = await startMore(database.url);
  return async () => {
    await stopMore();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
