import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import usualSetup from '../support/global-setup.ts';
import { startObjectStore } from '../support/object-store.ts';
import { startPgbouncer } from '../support/pgbouncer.ts';

/** PostgreSQL as in the usual tests, and what the deployments have besides. */
export default async function setup(project: TestProject) {
  const stop = await usualSetup(project, (databaseUrl) => start(project, databaseUrl));
  return stop;
}

async function start(project: TestProject, databaseUrl: string) {
  const pgbouncer = await startPgbouncer(databaseUrl, join(tmpdir(), 'pgbouncer'));
  const objectStore = await startObjectStore(join(tmpdir(), 'objects'));
  project.provide('deployment', {
    poolerUrl: pgbouncer.urlOf(databaseUrl).replace(/\/[^/]*$/, ''),
    objectStore: objectStore.port,
    variables: { MILLRACE_WORKERS: '2' },
  });
  return async () => {
    await pgbouncer.stop();
    await objectStore.kill();
  };
}
