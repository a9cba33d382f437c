import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  truncate,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { waitingLines } from '../../../server/waiting-lines.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { cloneDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { rootToken } from '../../support/process.ts';

const main = fileURLToPath(new URL('../../../server/main.ts', import.meta.url));

let folder: string;
const databases: { readonly drop: () => Promise<void> }[] = [];
const servers: ChildProcess[] = [];

interface LoggingServer {
  readonly child: ChildProcess;
  /** The status of a request with this path below `/api/v4`. */
  readonly request: (path?: string) => Promise<number>;
}

/** A server with this standard output; serves when this resolves. */
async function startWith(name: string, output: 'pipe' | number) {
  const database = await cloneDatabase(inject('databaseUrl'));
  databases.push(database);
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', output, 'ignore'] as StdioOptions,
    env: {
      PATH: process.env.PATH ?? '',
      ...compileCache(),
      PORT: String(port),
      MILLRACE_SSH_PORT: 'off',
      MILLRACE_ROOT_TOKEN: rootToken,
      MILLRACE_DATA: join(folder, name),
      DATABASE_URL: database.url,
    },
  });
  servers.push(child);
  const request = async (path = '/version') => {
    const url = `http://localhost:${port}/api/v4${path}`;
    const options = {
      headers: { 'PRIVATE-TOKEN': rootToken },
      signal: AbortSignal.timeout(20_000),
    };
    const response = await fetch(url, options);
    await response.arrayBuffer();
    return response.status;
  };
  await vi.waitFor(async () => expect(await request()).toBe(200), { timeout: 60_000 });
  return { child, request } satisfies LoggingServer;
}

let piped: LoggingServer;
let filed: LoggingServer;
const logFile = () => join(folder, 'millrace.log');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-log-'));
  // not opened to append, as by `>` of a shell
  const file = await open(logFile(), 'w');
  [piped, filed] = await Promise.all([startWith('piped', 'pipe'), startWith('filed', file.fd)]);
  await file.close();
});
afterAll(async () => {
  const running = servers.filter(({ exitCode, signalCode }) => exitCode === null && !signalCode);
  const exits = running.map((child) => once(child, 'exit'));
  for (const child of running) child.kill('SIGTERM');
  expect(await Promise.all(exits)).toEqual(running.map(() => [0, null]));
  for (const database of databases) await database.drop();
  await rm(folder, { recursive: true });
});

/** Sends requests whose lines of 4 KB are more than a pipe takes. */
async function fillPipe(): Promise<void> {
  const path = `/${'x'.repeat(4_000)}`;
  const statuses: number[] = [];
  for (let round = 0; round < 10; round += 1)
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, () => piped.request(path)))));
  expect(new Set(statuses)).toEqual(new Set([404]));
}

test('a reader of the log that stops delays no request, and gets all lines afterwards', async () => {
  await fillPipe();
  let text = '';
  piped.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const lines = () => text.split('\n').slice(0, -1);
  await expect.poll(() => lines().filter((line) => line.includes('xxx'))).toHaveLength(200);
  expect(lines().map((line) => typeof JSON.parse(line))).toEqual(lines().map(() => 'object'));
});

test('a reader of the log that has stopped does not keep a server from ending', async () => {
  piped.child.stdout?.pause();
  await fillPipe();
  piped.child.kill('SIGTERM');
  await expect.poll(() => piped.child.exitCode).toBe(0);
});

const linesIn = async (path: string) => (await readFile(path, 'utf8')).split('\n').slice(0, -1);

test.each(['SIGHUP', 'SIGUSR1'] as const)('%s reopens the log after a rotation', async (signal) => {
  const moved = `${logFile()}.${signal}`;
  await rename(logFile(), moved);
  const before = (await linesIn(moved)).length;
  filed.child.kill(signal);
  await expect.poll(() => readFile(logFile(), 'utf8').catch(() => null)).toBe('');
  expect(await filed.request()).toBe(200);
  await expect.poll(() => linesIn(logFile())).toHaveLength(1);
  expect(await linesIn(moved)).toHaveLength(before);
});

test('a log that a rotation truncates begins with the next line', async () => {
  await truncate(logFile());
  expect(await filed.request()).toBe(200);
  await expect.poll(() => linesIn(logFile())).toHaveLength(1);
  expect((await readFile(logFile(), 'utf8'))[0]).toBe('{');
});

test('a full disk of the log delays no request, and its lines are written later', async () => {
  const { child, request } = filed;
  await rename(logFile(), `${logFile()}.before`);
  await symlink('/dev/full', logFile());
  const isAtDevice = async () => {
    const open = await readdir(`/proc/${child.pid}/fd`);
    const paths = open.map((name) => readlink(`/proc/${child.pid}/fd/${name}`).catch(() => null));
    return (await Promise.all(paths)).includes('/dev/full');
  };
  child.kill('SIGHUP');
  await expect.poll(isAtDevice).toBe(true);
  for (let count = 0; count < 3; count += 1) expect(await request()).toBe(200);
  await rm(logFile());
  child.kill('SIGHUP');
  await expect.poll(() => linesIn(logFile()).catch(() => [])).toHaveLength(3);
});

describe('lines that could not be written', () => {
  const failingOnce = () => {
    let [failure, written]: [Error | null, string] = [new Error('full'), ''];
    const lines = waitingLines((bytes) => {
      if (failure) throw failure;
      const part = bytes.subarray(0, 2_001);
      written += part;
      return part.length;
    });
    const recover = () => {
      failure = null;
    };
    return { lines, recover, written: () => written };
  };

  test('are written later, in order', async () => {
    const { lines, recover, written } = failingOnce();
    const expected = Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(1_000)}\n`);
    for (const line of expected) lines.add(line);
    expect(written()).toBe('');
    recover();
    await expect.poll(written).toBe(expected.join(''));
    lines.add('next\n');
    expect(written()).toBe(`${expected.join('')}next\n`);
  });

  test('are counted beyond 4 MB', async () => {
    const { lines, recover, written } = failingOnce();
    const line = `${'x'.repeat(1_023)}\n`;
    for (let count = 0; count < 5_000; count += 1) lines.add(line);
    recover();
    await expect.poll(written).toMatch(/"count":903,"msg":"log lines were dropped"\}\n$/);
    expect(written().split(line).length - 1).toBe(4_097);
  });

  test('are dropped after the reader of a pipe has exited', () => {
    let attempts = 0;
    const lines = waitingLines(() => {
      attempts += 1;
      throw Object.assign(new Error('closed'), { code: 'EPIPE' });
    });
    for (let count = 0; count < 3; count += 1) lines.add('line\n');
    expect(attempts).toBe(1);
  });
});
