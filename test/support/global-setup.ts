import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openSession } from '../../prisma/client.ts';
import { startEmbedded } from '../../prisma/embedded.ts';
import { applyMigrations } from '../../prisma/migrate.ts';
import { databaseAt } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this run, on a database that nobody uses. */
    databaseUrl: string;
  }
}

/** One real PostgreSQL for the run, with a migrated database that each file clones. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-'));
  chmodSync(folder, 0o755);
  const database = await startEmbedded({ folder: join(folder, 'postgres'), log: () => {} });
  const session = await openSession(database.url);
  await session.query('CREATE DATABASE template');
  await session.end();
  await applyMigrations(databaseAt(database.url, 'template'));
  project.provide('databaseUrl', database.url);
  return async () => {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
