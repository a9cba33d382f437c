import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { connect } from '../../prisma/client.ts';
import { openConnections } from '../../prisma/dead-connections.ts';
import { databaseFailure } from '../../prisma/failures.ts';
import { WatchedClient } from '../../prisma/watched-client.ts';
import { hasStatementLimit } from '../../server/database.ts';
import { clientOf } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { startPgbouncer } from '../support/pgbouncer.ts';
import { rootToken, startProcess } from '../support/process.ts';
import { world } from '../support/world.ts';

const { url } = await world();
const folder = join(tmpdir(), `pgbouncer-${crypto.randomUUID()}`);
const database = await cloneDatabase(inject('databaseUrl'));
const pgbouncer = await startPgbouncer(database.url, folder);
const db = connect(pgbouncer.urlOf(database.url), { isPooler: true });
afterAll(async () => {
  await db.$disconnect();
  await pgbouncer.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

test('statements of many callers share few connections of the database', async () => {
  const statements = Array.from(
    { length: 200 },
    (_, index) =>
      db.$queryRaw<{ value: number }[]>`SELECT ${index}::int AS value, pg_backend_pid() AS pid`,
  );
  const rows = (await Promise.all(statements)).flat() as { value: number; pid: number }[];
  expect(rows.map(({ value }) => value)).toEqual(rows.map((_, index) => index));
  expect(new Set(rows.map(({ pid }) => pid)).size).toBeLessThanOrEqual(10);
});

test('a transaction keeps its connection', async () => {
  const transaction = () =>
    db.$transaction(async (tx) => {
      const pids = [];
      for (let count = 0; count < 5; count += 1) {
        pids.push(...(await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`));
      }
      return new Set(pids.map(({ pid }) => pid)).size;
    });
  const sizes = await Promise.all(Array.from({ length: 30 }, transaction));
  expect(new Set(sizes)).toEqual(new Set([1]));
});

test('the connections cancel slow statements', async () => {
  expect(await hasStatementLimit(db)).toBe(true);
});

test('a connection that PostgreSQL ends fails as an outage, and the next statement works', async () => {
  const ended = db.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`.then(
    () => null,
    databaseFailure,
  );
  expect(await ended).toBe('unreachable');
  expect(await db.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
});

test('a slow statement behind a pooler is not taken for a dead connection', async () => {
  const url = pgbouncer.urlOf(database.url);
  const { Client } = openConnections(WatchedClient, { connectionString: url, deadAfter: 300 });
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT pg_sleep(2), 1 AS one');
  expect(rows).toMatchObject([{ one: 1 }]);
  await client.end();
});

test('the servers of these tests are two workers', async () => {
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  expect(metrics).toMatch(/^process_start_time_seconds\{worker="1"\}/m);
  expect(metrics).toMatch(/^process_start_time_seconds\{worker="2"\}/m);
});

describe('a server behind a pooler of its own', async () => {
  const own = join(folder, 'own');
  const data = await mkdtemp(join(tmpdir(), 'millrace-pooler-'));
  let pooler = await startPgbouncer(database.url, own);
  const server = await startProcess(await freePort(), {
    DATABASE_URL: database.url,
    MILLRACE_POOLER_URL: pooler.urlOf(database.url),
    MILLRACE_DATA: data,
  });
  const root = clientOf(server.url, rootToken);
  const { body } = await root.post('/projects', { name: 'app' });
  const issues = `/projects/${(body as { id: number }).id}/issues`;
  afterAll(async () => {
    await server.kill('SIGTERM');
    await pooler.stop();
    await rm(data, { recursive: true });
  });
  const isServing = () => expect.poll(async () => (await root.get('/projects')).status).toBe(200);

  test('responds with 503 while the pooler is down, and works again afterwards', async () => {
    expect(await root.get('/projects')).toMatchObject({ status: 200 });
    await pooler.stop();
    expect(await root.get('/projects')).toMatchObject({ status: 503 });
    pooler = await pooler.startAgain();
    await isServing();
  });

  test('waits while the pooler is paused, and does not notice that it reloads', async () => {
    await pooler.command('PAUSE');
    const waiting = [root.get('/projects'), root.post(issues, { title: 'paused' })];
    await expect.poll(async () => (await fetch(`${server.url}/-/readiness`)).status).toBe(503);
    await pooler.command('RESUME');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 201]);
    for (const command of ['RELOAD', 'RECONNECT'] as const) {
      await pooler.command(command);
      expect(await root.get('/projects')).toMatchObject({ status: 200 });
    }
  });

  test('loses no acknowledged write, and repeats none, when the pooler is killed', async () => {
    const acknowledged: string[] = [];
    let isKilled = false;
    const write = async (writer: number) => {
      for (let count = 0; !isKilled || count === 0; count += 1) {
        const title = `${writer} ${count}`;
        const { status } = await root.post(issues, { title });
        expect([201, 503]).toContain(status);
        if (status === 201) acknowledged.push(title);
      }
    };
    const writers = Promise.all([1, 2, 3, 4].map(write));
    for (let count = 0; count < 3; count += 1) {
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 8);
      await pooler.kill();
      pooler = await pooler.startAgain();
    }
    await isServing();
    isKilled = true;
    await writers;
    const titles: string[] = [];
    for (let page = 1, isFull = true; isFull; page += 1) {
      const listed = (await root.get(`${issues}?per_page=100&page=${page}`)).body;
      titles.push(...(listed as { title: string }[]).map(({ title }) => title));
      isFull = (listed as unknown[]).length === 100;
    }
    expect(titles).toEqual(expect.arrayContaining(acknowledged));
    expect(titles).toHaveLength(new Set(titles).size);
  });
});
