import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openSession, type Session } from '../../../prisma/client.ts';
import { world } from '../../support/world.ts';

const { as, url, db, databaseUrl, seed } = await world({
  limits: { database: { waitLimit: 400 } },
});
await seed.user('ada');
/** The share of a caller, and the connections of the server. */
const [connections, most] = [5, 20];

/** Connections on which a statement waits for a lock. */
const lockWaiters = async () => {
  const [row] = await db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return row.count;
};

/** Holds a lock that blocks all project requests, each on a connection of the share of the test's address. */
let session: Session;
let waiting: Promise<unknown>;
beforeAll(async () => {
  session = await openSession(databaseUrl);
  await session.query('BEGIN');
  await session.query('LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
  waiting = Promise.all(Array.from({ length: connections }, () => as(null).get('/projects')));
  await vi.waitUntil(async () => (await lockWaiters()) === connections, 20_000);
});
afterAll(async () => {
  await session.end();
  await waiting;
});

const text = 'The database is not available';
const json = { 'Content-Type': 'application/json' };

const requests: readonly (readonly [string, string, RequestInit, string])[] = [
  ['REST', '/api/v4/users', { headers: { 'Private-Token': 'unknown-token-000000' } }, text],
  ['a page', '/ada', { headers: { Accept: 'text/html' } }, '<h1>503 Service Unavailable</h1>'],
  [
    'a page for a browser with a session',
    '/',
    { headers: { Accept: 'text/html', Cookie: `_millrace_session=${'a'.repeat(64)}` } },
    '<h1>503 Service Unavailable</h1>',
  ],
  [
    'OAuth',
    '/oauth/token',
    {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ grant_type: 'password', username: 'ada', password: 'x' }),
    },
    '"error":"temporarily_unavailable"',
  ],
  [
    'GraphQL',
    '/graphql',
    { method: 'POST', headers: json, body: '{"query":"{ user(by: { id: 1 }) { username } }"}' },
    '"code":"UNAVAILABLE"',
  ],
];

describe('while every connection of the share of a caller waits for a lock', () => {
  test.each(requests)('%s responds with 503 and Retry-After', async (_which, path, init, body) => {
    const response = await fetch(url + path, { redirect: 'manual', ...init });
    expect({
      status: response.status,
      wait: response.headers.get('Retry-After'),
      body: await response.text(),
    }).toEqual({ status: 503, wait: '10', body: expect.stringContaining(body) });
  });
});

test('metrics show the busy connections and the requests that wait', async () => {
  const metrics = async () => {
    const pending = as(null).get('/projects');
    const shown = await (await fetch(`${url}/-/metrics`)).text();
    expect((await pending).status).toBe(503);
    return shown;
  };
  await expect.poll(metrics).toMatch(/^millrace_database_waiting [1-9]/m);
  const shown = await metrics();
  expect(shown).toContain(`millrace_database_connections{state="busy"} ${connections}`);
  expect(shown).toContain(`millrace_database_connections_max ${most}`);
  expect(shown).not.toContain('millrace_ci_jobs{');
});

test('the waiting requests succeed after the lock is released', async () => {
  await session.query('ROLLBACK');
  expect(await waiting).toEqual(Array(connections).fill(expect.objectContaining({ status: 200 })));
  expect((await fetch(`${url}/ada`)).status).toBe(200);
});
