import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../../prisma/client.ts';
import { clientOf } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { childrenOf } from '../../support/helpers.ts';
import { rootToken, type ServerProcess, startProcess } from '../../support/process.ts';
import { visitorAt } from '../../support/visitor.ts';

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
const workerPids = () => childrenOf(server.child.pid ?? 0, 'server/main.ts');

/** Runs `work` while PostgreSQL delivers no notification. */
async function withoutNotifications(work: () => Promise<void>): Promise<void> {
  const owner = await readFile(join(dataFolder, 'postgres/owner.json'), 'utf8');
  const { sockets } = JSON.parse(owner) as { readonly sockets: string };
  const session = await openSession(`postgresql://millrace@/millrace?host=${sockets}&port=5432`);
  const { rows } = await session.query<{ pid: number }>(`
    SELECT pid FROM pg_stat_activity
    WHERE application_name = 'millrace session' AND (query LIKE 'LISTEN %' OR query LIKE '%transaction_read_only%')
      AND pid <> pg_backend_pid()`);
  await session.end();
  expect(rows.length).toBeGreaterThanOrEqual(workers);
  const signal = (name: NodeJS.Signals) => rows.forEach(({ pid }) => void process.kill(pid, name));
  signal('SIGSTOP');
  try {
    await work();
  } finally {
    signal('SIGCONT');
  }
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

  /** The statuses of requests on twelve connections, which reach all workers. */
  const statusesOf = async (path: string, token: string) => {
    const responses = Array.from({ length: 12 }, () =>
      fetch(`${server.url}/api/v4${path}`, {
        headers: { 'PRIVATE-TOKEN': token, Connection: 'close' },
      }),
    );
    return new Set((await Promise.all(responses)).map(({ status }) => status));
  };
  const root = () => clientOf(server.url, rootToken);
  const newToken = async () => {
    const input = { name: 'short', scopes: ['api'] };
    const { body } = await root().post('/users/1/impersonation_tokens', input);
    return body as { readonly id: number; readonly token: string };
  };

  test('the next request with a revoked token is refused, whichever worker receives it', async () => {
    const { id, token } = await newToken();
    await withoutNotifications(async () => {
      expect(await statusesOf('/user', token)).toEqual(new Set([200]));
      expect((await root().delete(`/users/1/impersonation_tokens/${id}`)).status).toBe(204);
      expect(await statusesOf('/user', token)).toEqual(new Set([401]));
    });
  });

  test('a member sees a private group in the next request, whichever worker receives it', async () => {
    const ada = { name: 'Ada', username: 'ada', email: 'ada@example.com', password: 'ada ada ada' };
    const { body: user } = await root().post('/users', { ...ada, skip_confirmation: true });
    const userId = (user as { id: number }).id;
    const scopes = { name: 'short', scopes: ['api'] };
    const { body } = await root().post(`/users/${userId}/impersonation_tokens`, scopes);
    const { token } = body as { readonly token: string };
    const { body: group } = await root().post('/groups', { name: 'Private', path: 'private' });
    const path = `/groups/${(group as { id: number }).id}`;
    await withoutNotifications(async () => {
      expect(await statusesOf(path, token)).toEqual(new Set([404]));
      const member = { user_id: userId, access_level: 30 };
      expect((await root().post(`${path}/members`, member)).status).toBe(201);
      expect(await statusesOf(path, token)).toEqual(new Set([200]));
    });
  });

  test('a blocked user is refused with each credential in the next request, whichever worker receives it', async () => {
    const { url } = server;
    const bob = { username: 'bob', password: 'bob bob bob' };
    const details = { ...bob, name: 'Bob', email: 'bob@example.com', skip_confirmation: true };
    const { body: user } = await root().post('/users', details);
    const { id } = user as { readonly id: number };
    const { body } = await root().post(`/users/${id}/impersonation_tokens`, {
      ...{ name: 'short', scopes: ['api'] },
    });
    const { token } = body as { readonly token: string };
    await clientOf(url, token).post('/projects', { name: 'app' });
    const grant = { grant_type: 'password', ...bob };
    const granted = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(grant),
    });
    const { access_token } = (await granted.json()) as { readonly access_token: string };
    // forms and their tokens are read from one worker and sent to any
    const visitors = Array.from({ length: 6 }, () => visitorAt(url));
    const signedIn = await Promise.all(visitors.map((visitor) => visitor.signIn(bob)));
    expect(new Set(signedIn.map(({ status, location }) => `${status} ${location}`))).toEqual(
      new Set(['303 /']),
    );
    const basic = `Basic ${btoa(`${bob.username}:${bob.password}`)}`;
    const requests: [string, Record<string, string>][] = [
      ['/api/v4/user', { 'PRIVATE-TOKEN': token }],
      ['/api/v4/user', { Authorization: `Bearer ${access_token}` }],
      ['/api/v4/user', { Cookie: `_millrace_session=${visitors[0]?.cookie}` }],
      ['/bob/app.git/info/refs?service=git-upload-pack', { Authorization: basic }],
    ];
    const statuses = () =>
      Promise.all(
        requests.map(async ([path, headers]) => {
          const responses = Array.from({ length: 8 }, () =>
            fetch(`${url}${path}`, { headers: { ...headers, Connection: 'close' } }),
          );
          return [...new Set((await Promise.all(responses)).map(({ status }) => status))];
        }),
      );
    await withoutNotifications(async () => {
      expect(await statuses()).toEqual([[200], [200], [200], [200]]);
      expect((await root().post(`/users/${id}/block`)).status).toBe(201);
      expect(await statuses()).toEqual([[401], [401], [401], [401]]);
    });
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
