import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { cloneDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { rootToken, type ServerProcess, startProcess } from '../../support/process.ts';

/** Requests at a time. */
const clients = 8;
const processes = 2;

const undo: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** Caddy as docs/administration.md configures it, with shorter intervals. */
async function startCaddy(port: number, upstreams: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-caddy-'));
  const file = join(folder, 'Caddyfile');
  await writeFile(
    file,
    `{
      admin off
      auto_https off
    }
    :${port} {
      header -Server
      reverse_proxy ${upstreams.join(' ')} {
        health_uri /-/readiness
        health_interval 100ms
        lb_try_duration 10s
        flush_interval -1
      }
    }`,
  );
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  const child = spawn('caddy', ['run', '--config', file], { env, stdio: 'ignore' });
  undo.push(() => rm(folder, { recursive: true }));
  undo.push(() => child.kill());
}

test('a rolling restart behind a load balancer fails no request', async () => {
  const database = await cloneDatabase(inject('databaseUrl'));
  undo.push(() => database.drop());
  const data = await mkdtemp(join(tmpdir(), 'millrace-rolling-'));
  undo.push(() => rm(data, { recursive: true }));
  const ports = await Promise.all(Array.from({ length: processes }, freePort));
  const servers = new Map<number, ServerProcess>();
  undo.push(() => Promise.all([...servers.values()].map((server) => server.kill('SIGKILL'))));
  const start = async (port: number) => {
    servers.set(
      port,
      await startProcess(port, {
        DATABASE_URL: database.url,
        MILLRACE_DATA: data,
        MILLRACE_DRAIN_SECONDS: '1',
      }),
    );
  };
  for (const port of ports) await start(port);
  const proxyPort = await freePort();
  await startCaddy(
    proxyPort,
    ports.map((port) => `127.0.0.1:${port}`),
  );
  const api = clientOf(`http://127.0.0.1:${proxyPort}`, rootToken);
  await expect.poll(() => api.get('/version').catch(() => null)).toMatchObject({ status: 200 });
  expect((await api.post('/projects', { path: 'app' })).status).toBe(201);

  const issues = '/projects/root%2Fapp/issues';
  const failures: unknown[] = [];
  let isDone = false;
  let created = 0;
  let answered = 0;
  const useService = async (client: number) => {
    while (!isDone) {
      const isWrite = (client + answered) % 2 === 0;
      const request = isWrite ? api.post(issues, { title: `by ${client}` }) : api.get(issues);
      const { status, body } = await request.catch((error: Error) => ({ status: 0, body: error }));
      answered += 1;
      if (status === 201) created += 1;
      else if (status !== 200) failures.push({ status, body });
    }
  };
  const using = Array.from({ length: clients }, (_, client) => useService(client));
  /** The proxy uses this process: as an operator waits before the next restart. */
  const isInUse = async (port: number) => {
    const metrics = await fetch(`http://127.0.0.1:${port}/-/metrics`);
    return (await metrics.text()).includes('/projects/:id/issues');
  };
  for (const port of ports) {
    expect(await servers.get(port)?.kill('SIGTERM')).toBe(0);
    await start(port);
    await expect.poll(() => isInUse(port)).toBe(true);
  }
  isDone = true;
  await Promise.all(using);
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(100);
  const { headers } = await api.fetch(`${issues}?per_page=1`);
  expect(Number(headers.get('X-Total'))).toBe(created);
});
