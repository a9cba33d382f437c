import { expect, onTestFinished, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { type PostgresProxy, postgresProxy } from '../../support/postgres-proxy.ts';
import { startProcess } from '../../support/process.ts';
import { world } from '../../support/world.ts';

let proxy = null as PostgresProxy | null;
const { as, root, seed, url, db, databaseUrl, dataFolder } = await world({
  databaseUrlOf: async (direct) => {
    proxy = await postgresProxy(direct);
    return proxy.url;
  },
});
const database = proxy as unknown as PostgresProxy;
const ada = await seed.user('ada');
const project = await seed.project('root/app');
await seed.push('root/app', { 'README.md': '# App\n' });

/** Connections of all processes over which the database notifies them of changes. */
const listenerCount = async () => {
  const [row] = await db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'millrace session'`;
  return row.count;
};

/** Drops every connection of the server to its database; gives the way to let it connect again. */
async function disconnect() {
  const count = await listenerCount();
  database.stop();
  await expect.poll(listenerCount).toBe(count - 1);
  return async () => {
    database.resume();
    await expect.poll(listenerCount).toBe(count);
    await expect.poll(async () => (await fetch(`${url}/-/readiness`)).status).toBe(200);
  };
}

test('the queue runs jobs again after its connections are dropped', async () => {
  const reconnect = await disconnect();
  await reconnect();
  const fork = await as(root).post(`/projects/${project.id}/fork`, {
    namespace: (await seed.group('forks')).id,
  });
  const { id } = fork.body as { id: number };
  await expect
    .poll(async () => (await as(root).get(`/projects/${id}`)).body)
    .toMatchObject({ import_status: 'finished' });
});

test('tokens that another process revokes are refused, also those revoked while disconnected', async () => {
  const other = await startProcess(await freePort(), {
    DATABASE_URL: databaseUrl,
    MILLRACE_DATA: dataFolder,
  });
  onTestFinished(() => void other.kill('SIGKILL'));
  const tokens = `/users/${ada.id}/impersonation_tokens`;
  const create = async () => {
    const { body } = await as(root).post(tokens, { name: 'x', scopes: ['api'] });
    return body as { id: number; token: string };
  };
  const revoke = async ({ id }: { id: number }) =>
    expect((await clientOf(other.url, root.token).delete(`${tokens}/${id}`)).status).toBe(204);
  const statusOf = async ({ token }: { token: string }) =>
    (await clientOf(url, token).get('/user')).status;

  // the server remembers a token for a minute, longer than the polls below wait
  const [early, late] = [await create(), await create()];
  expect([await statusOf(early), await statusOf(late)]).toEqual([200, 200]);
  const reconnect = await disconnect();
  await revoke(early);
  await reconnect();
  await expect.poll(() => statusOf(early)).toBe(401);
  expect(await statusOf(late)).toBe(200);
  await revoke(late);
  await expect.poll(() => statusOf(late)).toBe(401);
});
