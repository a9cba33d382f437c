import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../../../prisma/client.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

/*
 * Slow statements, here such that wait for a lock: neither one caller nor a class of callers uses all connections to
 * the database.
 */

const { seed, url, databaseUrl, db } = await world({
  limits: { database: { waitLimit: 60_000, statementLimit: 120_000 } },
  variables: { MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1' },
});
const createdAt = new Date('2020-01-01');
const [older, fresh] = (await Promise.all(['older', 'fresh'].map((name) => seed.user(name)))) as [
  TestUser,
  TestUser,
];
await db.user.update({ where: { id: older.id }, data: { createdAt } });

let session: Session;
beforeAll(async () => {
  // who a user is depends on projects, too: it is remembered
  for (const user of [older, fresh]) expect(await get('/api/v4/user', '192.0.2.1', user)).toBe(200);
  session = await openSession(databaseUrl);
  await session.query('BEGIN');
  await session.query('LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
});
afterAll(() => session.end());

const slow = '/api/v4/projects';
const quick = '/api/v4/users?username=older';

async function get(path: string, address: string, user: TestUser | null = null) {
  const response = await fetch(url + path, {
    headers: { 'X-Forwarded-For': address, ...(user && { 'Private-Token': user.token }) },
  });
  await response.arrayBuffer();
  return response.status;
}

/** The statements of a class that wait for a connection. */
async function waiting(group: string): Promise<number> {
  const text = await (await fetch(`${url}/-/metrics`)).text();
  const labels = `kind="database",class="${group}",state="waiting"`;
  return Number(text.split(`millrace_work{${labels}} `)[1]?.split('\n')[0]);
}

const pending: Promise<number>[] = [];
const attack = (address: string, user: TestUser | null = null) =>
  pending.push(...Array.from({ length: 8 }, () => get(slow, address, user)));

test('those of one network leave connections to others', async () => {
  attack('192.0.2.1');
  await expect.poll(() => waiting('anonymous')).toBeGreaterThan(0);
  expect(await get(quick, '192.0.2.2')).toBe(200);
  expect(await get(quick, '192.0.2.1', older)).toBe(200);
});

test('those of anonymous users and new accounts leave connections to other classes', async () => {
  for (const network of [3, 4, 5, 6]) attack(`192.0.2.${network}`);
  for (const network of [7, 8, 9]) attack(`192.0.2.${network}`, fresh);
  await expect.poll(() => waiting('new account')).toBeGreaterThan(0);
  expect(await get('/api/v4/user', '192.0.2.1', older)).toBe(200);
});

test('the statements that waited are executed when the lock is released', async () => {
  await session.query('ROLLBACK');
  const statuses = await Promise.all(pending);
  expect(statuses).toEqual(statuses.map(() => 200));
});
