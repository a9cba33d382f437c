import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { connect } from '../../prisma/client.ts';
import { databaseFailure } from '../../prisma/failures.ts';
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

test('the servers of these tests are two workers', async () => {
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  expect(metrics).toMatch(/^process_start_time_seconds\{worker="1"\}/m);
  expect(metrics).toMatch(/^process_start_time_seconds\{worker="2"\}/m);
});

test('while the pooler is down requests fail with 503, and work again afterwards', async () => {
  const own = await startPgbouncer(database.url, `${folder}-own`);
  const data = await mkdtemp(join(tmpdir(), 'millrace-pooler-'));
  const server = await startProcess(await freePort(), {
    DATABASE_URL: database.url,
    MILLRACE_POOLER_URL: own.urlOf(database.url),
    MILLRACE_DATA: data,
  });
  const root = clientOf(server.url, rootToken);
  expect(await root.get('/projects')).toMatchObject({ status: 200 });
  await own.stop();
  expect(await root.get('/projects')).toMatchObject({ status: 503 });
  const again = await own.startAgain();
  await expect.poll(async () => (await root.get('/projects')).status).toBe(200);
  await server.kill('SIGTERM');
  await again.stop();
  for (const path of [data, `${folder}-own`]) await rm(path, { recursive: true });
});
