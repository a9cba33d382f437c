import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { childrenOf, helperFailuresAt, isRunning, sendSignal } from '../../support/helpers.ts';
import { rootToken, type ServerProcess, startProcess } from '../../support/process.ts';

/** Longer than the watch of an installation needs. */
const timeout = 60_000;

let dataFolder: string;
let server: ServerProcess;
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'millrace-silent-'));
  const variables = { MILLRACE_DATA: dataFolder, MILLRACE_WORKERS: '3' };
  server = await startProcess(await freePort(), variables);
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await rm(dataFolder, { recursive: true });
});

const primary = () => server.child.pid ?? 0;
const workerPids = () => childrenOf(primary(), 'server/main.ts');

/** The status of a request on a connection of its own; null without a response in a second. */
const statusOf = (path: string) =>
  fetch(`${server.url}${path}`, {
    headers: { 'PRIVATE-TOKEN': rootToken, Connection: 'close' },
    signal: AbortSignal.timeout(1_000),
  }).then(
    ({ status }) => status,
    () => null,
  );

/** Keeps a worker in an endless loop, by its debugger. */
async function loopForEver(pid: number): Promise<void> {
  sendSignal(pid, 'SIGUSR1');
  const debuggerUrl = () => /Debugger listening on (ws:\S+)/.exec(server.output())?.[1];
  await expect.poll(debuggerUrl).toBeDefined();
  const socket = new WebSocket(debuggerUrl() ?? '');
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const loop = { id: 1, method: 'Runtime.evaluate', params: { expression: 'for (;;);' } };
  socket.send(JSON.stringify(loop));
}

describe('a server with workers', () => {
  test('replaces those that are stopped or loop', { timeout: 2 * timeout }, async () => {
    const [, stopped = 0, looping = 0] = await workerPids();
    sendSignal(stopped, 'SIGSTOP');
    await loopForEver(looping);
    for (const pid of [stopped, looping])
      await expect.poll(() => isRunning(pid), { timeout }).toBe(false);
    await expect.poll(() => server.output().match(/"worker ready"/g)?.length, { timeout }).toBe(5);
    expect(await workerPids()).toHaveLength(3);
    const statuses = Array.from({ length: 12 }, () => statusOf('/api/v4/version'));
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    expect(await helperFailuresAt(server.url, 'worker', 'silent')).toBe(2);
    expect(await helperFailuresAt(server.url, 'worker', 'exited')).toBe(0);
    expect(server.output()).toContain('a helper process does not answer');
  });

  test('serves on while its primary process is stopped', { timeout: 2 * timeout }, async () => {
    sendSignal(primary(), 'SIGSTOP');
    try {
      // each worker reports it
      const isReported = async () => (await helperFailuresAt(server.url, 'primary', 'silent')) > 0;
      await expect.poll(isReported, { timeout }).toBe(true);
      expect(await statusOf('/api/v4/version')).toBe(200);
      expect(await statusOf('/-/readiness')).toBe(200);
    } finally {
      sendSignal(primary(), 'SIGCONT');
    }
    await expect.poll(() => helperFailuresAt(server.url, 'worker', 'silent')).toBe(2);
    expect(await workerPids()).toHaveLength(3);
  });
});
