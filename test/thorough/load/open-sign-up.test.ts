import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { cloneDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { rootToken, type ServerProcess, startProcess } from '../../support/process.ts';

const database = await cloneDatabase(inject('databaseUrl'));
const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-sign-up-'));
const running: ServerProcess[] = [];

afterAll(async () => {
  await Promise.all(running.map((server) => server.kill('SIGKILL', 'group')));
  await database.drop();
  await rm(dataFolder, { recursive: true, force: true });
});

/** The warnings that a start logs, and the settings that are changed before it stops. */
async function warningsOfStart(runner: string, settings: object): Promise<string[]> {
  const server = await startProcess(await freePort(), {
    MILLRACE_DATA: dataFolder,
    DATABASE_URL: database.url,
    MILLRACE_RUNNER: runner,
  });
  running.push(server);
  const change = clientOf(server.url, rootToken).put('/application/settings', { ...settings });
  expect((await change).status).toBe(200);
  expect(await server.kill('SIGTERM')).toBe(0);
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"warn"'));
  return lines.filter((line) => line.includes('signup_enabled'));
}

test('a start with a shell runner and open sign-up warns of the setting', async () => {
  const warnings = await warningsOfStart('shell', { signup_enabled: false });
  expect(warnings).toEqual([expect.stringContaining('MILLRACE_RUNNER=shell')]);
});

test('without open sign-up, or without the runner, a start does not warn', async () => {
  expect(await warningsOfStart('shell', { signup_enabled: true })).toEqual([]);
  expect(await warningsOfStart('off', { signup_enabled: true })).toEqual([]);
});
