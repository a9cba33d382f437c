import { expect, onTestFinished, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { type PostgresProxy, postgresProxy } from '../../support/postgres-proxy.ts';
import { rootToken, startProcess } from '../../support/process.ts';
import { world } from '../../support/world.ts';

let proxy = null as PostgresProxy | null;
const { as, root, seed, url, db, dataFolder } = await world({
  databaseUrlOf: async (direct) => {
    proxy = await postgresProxy(direct);
    return proxy.url;
  },
  // a statement may take longer than the test
  limits: { database: { deadAfter: 900 } },
});
const database = proxy as unknown as PostgresProxy;
const project = await seed.project('root/app');

const statuses = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await as(root).get('/projects')).status));

test('requests on connections that the network has lost get 503, and the next ones new connections', async () => {
  expect(new Set(await statuses(8))).toEqual(new Set([200]));
  database.loseAll();
  expect(await statuses(3)).toContain(503);
  // the idle ones were lost, too
  expect(new Set(await statuses(8))).toEqual(new Set([200]));
  expect((await fetch(`${url}/-/readiness`)).status).toBe(200);
});

test('jobs run again after the queue has lost its connections without notice', async () => {
  database.loseAll();
  await expect.poll(async () => (await as(root).get('/projects')).status).toBe(200);
  const fork = await as(root).post(`/projects/${project.id}/fork`, {
    namespace: (await seed.group('forks')).id,
  });
  const { id } = fork.body as { id: number };
  await expect
    .poll(async () => (await as(root).get(`/projects/${id}`)).body)
    .toMatchObject({ import_status: 'finished' });
});

test('a statement that waits for a lock is not taken for a lost connection', async () => {
  let release = () => {};
  const isHeld = new Promise<void>((resolve) => {
    release = resolve;
  });
  const locked = db.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE projects IN ACCESS EXCLUSIVE MODE`;
      await isHeld;
    },
    { timeout: 20_000 },
  );
  const waiting = statuses(1);
  // the server asks about the statement several times meanwhile
  const asked = async () => {
    const [row] = await db.$queryRaw<[{ since: number }]>`
      SELECT coalesce(max(extract(epoch FROM now() - query_start)), 0)::float AS since
      FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row.since;
  };
  await expect.poll(asked).toBeGreaterThan(3);
  release();
  await locked;
  expect(await waiting).toEqual([200]);
});

test('a server stops though the network has lost its connections', async () => {
  const server = await startProcess(await freePort(), {
    DATABASE_URL: database.url,
    MILLRACE_DATA: dataFolder,
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  expect((await clientOf(server.url, rootToken).get('/projects')).status).toBe(200);
  database.loseAll();
  expect(await server.kill('SIGTERM')).toBe(0);
}, 60_000);
