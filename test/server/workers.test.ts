import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { rootToken, type ServerProcess, startProcess } from '../support/process.ts';

const workers = 2;

let dataFolder: string;
let server: ServerProcess;
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'millrace-workers-'));
  const variables = { MILLRACE_DATA: dataFolder, MILLRACE_WORKERS: String(workers) };
  server = await startProcess(await freePort(), variables);
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await rm(dataFolder, { recursive: true });
});

/** The pids of the worker processes that run now. */
async function workerPids(): Promise<readonly number[]> {
  const { pid = 0 } = server.child;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const pids = children.trim().split(' ').map(Number);
  const commands = await Promise.all(
    pids.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, index) => commands[index]?.includes('server/main.ts'));
}

/** A request on a connection of its own, which reaches any of the workers. */
const getVersion = () =>
  fetch(`${server.url}/api/v4/version`, {
    headers: { 'PRIVATE-TOKEN': rootToken, Connection: 'close' },
  });

const metrics = async () => (await fetch(`${server.url}/-/metrics`)).text();

/** Requests of the version that each worker has counted. */
async function countedRequests(): Promise<ReadonlyMap<string, number>> {
  const series =
    /^http_requests_total\{[^}]*route="\/api\/v4\/version"[^}]*worker="(\d)"\} (\d+)$/gm;
  const entries = (await metrics()).matchAll(series);
  return new Map([...entries].map(([, worker = '', count]) => [worker, Number(count)]));
}

describe('a server with two workers', () => {
  test('both serve requests on one port, and /-/metrics of one has the series of both', async () => {
    let sent = 0;
    const isServedByBoth = async () => {
      sent += 1;
      expect((await getVersion()).status).toBe(200);
      return (await countedRequests()).size === workers;
    };
    await expect.poll(isServedByBoth).toBe(true);
    const counts = [...(await countedRequests()).values()];
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(sent);
  });

  test('what is read from the database is one series', async () => {
    const lines = (await metrics()).split('\n');
    expect(lines.filter((line) => line.startsWith('millrace_ci_jobs{status="pending"'))).toEqual([
      'millrace_ci_jobs{status="pending"} 0',
    ]);
  });

  test('a killed worker is replaced while the other one serves', async () => {
    const [, killed = 0] = await workerPids();
    process.kill(killed, 'SIGKILL');
    await expect
      .poll(async () => {
        expect((await getVersion()).status).toBe(200);
        const pids = await workerPids();
        return pids.length === workers && !pids.includes(killed);
      })
      .toBe(true);
    await expect.poll(() => server.output().match(/"worker ready"/g)?.length).toBe(workers + 1);
  });

  test('a revoked token stops working in all workers at once', async () => {
    const root = clientOf(server.url, rootToken);
    const { body } = await root.post('/users/1/impersonation_tokens', {
      name: 'short',
      scopes: ['api'],
    });
    const { id, token } = body as { readonly id: number; readonly token: string };
    const statuses = async () => {
      const responses = Array.from({ length: 12 }, () =>
        fetch(`${server.url}/api/v4/user`, {
          headers: { 'PRIVATE-TOKEN': token, Connection: 'close' },
        }),
      );
      return new Set((await Promise.all(responses)).map(({ status }) => status));
    };
    expect(await statuses()).toEqual(new Set([200]));
    expect((await root.delete(`/users/1/impersonation_tokens/${id}`)).status).toBe(204);
    await expect.poll(statuses).toEqual(new Set([401]));
  });
});

test('a port that another program uses ends the start with one message', async () => {
  const other = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'millrace-workers-'));
  try {
    const variables = { MILLRACE_DATA: folder, MILLRACE_WORKERS: '2' };
    await expect(startProcess(port, variables)).rejects.toThrow(
      `Another program listens on port ${port}`,
    );
    expect(await readdir(folder)).toEqual([]);
  } finally {
    other.close();
    await rm(folder, { recursive: true });
  }
});

test('a stop ends workers and database, and exits with 0', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-workers-'));
  const variables = { MILLRACE_DATA: folder, MILLRACE_WORKERS: '2' };
  const stopped = await startProcess(await freePort(), variables);
  const { pid = 0 } = stopped.child;
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  expect(children.length).toBeGreaterThanOrEqual(3);
  expect(await stopped.kill('SIGTERM')).toBe(0);
  const left = children.filter((child) => {
    try {
      process.kill(Number(child), 0);
      return true;
    } catch {
      return false;
    }
  });
  expect(left).toEqual([]);
  await rm(folder, { recursive: true });
});
