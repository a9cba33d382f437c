import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, inject, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { cloneDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { rootToken, startProcess } from '../../support/process.ts';

const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-threads-'));
const fault = join(dataFolder, 'fault');
const database = await cloneDatabase(inject('databaseUrl'));
const server = await startProcess(
  await freePort(),
  { MILLRACE_DATA: dataFolder, DATABASE_URL: database.url },
  [
    '--require',
    fileURLToPath(new URL('../../fixtures/exit-in-threads.cjs', import.meta.url)),
    `--title=${fault}`,
  ],
);
afterAll(async () => {
  await server.kill('SIGTERM');
  await database.drop();
  await rm(dataFolder, { recursive: true });
});

/** Too large to be checked without a thread. */
const content = `rspec: { script: rake spec }\n${'# a comment\n'.repeat(1_000)}`;
const lint = () => clientOf(server.url, rootToken).post('/ci/lint', { content });

test('requests that need a thread get 503 while no thread starts, and succeed afterwards', async () => {
  await writeFile(fault, '');
  const unavailable = { status: 503, body: { message: '503 Service Unavailable' } };
  for (let count = 0; count < 4; count += 1) expect(await lint()).toEqual(unavailable);
  const valid = { content: 'rspec: { script: rake spec }' };
  expect(await clientOf(server.url, rootToken).post('/ci/lint', valid)).toMatchObject({
    status: 200,
  });
  await rm(fault);
  expect(await lint()).toEqual({ status: 200, body: { status: 'valid', errors: [] } });
  expect(server.output()).toContain('no worker thread started');
});

test('a process that can start no more threads refuses tasks until it can, and does not end', async () => {
  const program = fileURLToPath(new URL('../../fixtures/no-more-threads.ts', import.meta.url));
  // its own heap must not grow meanwhile
  const args = ['--min-semi-space-size=64', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'abab']);
});
