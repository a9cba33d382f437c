import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { type PostgresProxy, postgresProxy } from '../../support/postgres-proxy.ts';
import { message } from '../../support/soap.ts';
import { world } from '../../support/world.ts';

let proxy = null as PostgresProxy | null;
const { as, seed, url, remote, root } = await world({
  databaseUrlOf: async (direct) => {
    proxy = await postgresProxy(direct);
    return proxy.url;
  },
  limits: { database: { waitLimit: 400, answerLimit: 500 } },
});
const database = proxy as unknown as PostgresProxy;
const ada = await seed.user('ada');
const project = await seed.project('ada/tools', {}, { visibility: 'public' });

afterEach(async () => {
  database.resume();
  await expect.poll(async () => (await fetch(`${url}/-/readiness`)).status).toBe(200);
  await expect.poll(async () => (await as(root).get('/users')).status).toBe(200);
});

interface Case {
  readonly path: string;
  readonly init?: RequestInit;
  readonly body: unknown;
}

const text = 'The database is not available';
const json = { 'Content-Type': 'application/json' };
const again = 'Try again in 10 seconds.';

const cases: readonly (readonly [string, Case])[] = [
  ['REST', { path: '/api/v4/projects', body: JSON.stringify({ message: `503 ${text}` }) }],
  [
    'REST with a token',
    {
      path: '/api/v4/projects',
      init: { headers: { 'Private-Token': 'unknown-token-000000' } },
      body: JSON.stringify({ message: `503 ${text}` }),
    },
  ],
  [
    'OAuth',
    {
      path: '/oauth/token',
      init: {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ grant_type: 'password', username: 'ada', password: 'x' }),
      },
      body: JSON.stringify({ error: 'temporarily_unavailable', error_description: text }),
    },
  ],
  [
    'GraphQL',
    {
      path: '/graphql',
      init: {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ query: '{ project(id: "ada/tools") { id } }' }),
      },
      body: expect.stringContaining('"code":"UNAVAILABLE"'),
    },
  ],
  [
    'GraphQL with a token',
    {
      path: '/graphql',
      init: {
        method: 'POST',
        headers: { ...json, 'Private-Token': 'unknown-token-000000' },
        body: '{"query":"{ currentUser { id } }"}',
      },
      body: expect.stringContaining('"code":"UNAVAILABLE"'),
    },
  ],
  [
    'SOAP',
    {
      path: '/api/soap',
      init: {
        method: 'POST',
        headers: { 'Content-Type': 'text/xml' },
        body: message('call', 'a'.repeat(64), 'project.list'),
      },
      body: expect.stringContaining(`<faultstring>${text}. ${again}</faultstring>`),
    },
  ],
  [
    'a page',
    {
      path: '/ada',
      init: { headers: { Accept: 'text/html' } },
      body: expect.stringMatching(/<h1>503 Service Unavailable<\/h1>/),
    },
  ],
  [
    'git',
    { path: '/ada/tools.git/info/refs?service=git-upload-pack', body: `${text}. ${again}\n` },
  ],
  [
    'an upload',
    {
      path: '/ada/tools/uploads/0123456789abcdef0123456789abcdef/a.txt',
      body: expect.stringContaining(text),
    },
  ],
];

const failures = [
  ['is down', () => database.stop()],
  ['hangs', () => database.freeze()],
] as const;

describe.each(failures)('while the database %s', (_how, fail) => {
  test.each(cases)(
    '%s responds with 503 and Retry-After',
    async (_interface, { path, init, body }) => {
      fail();
      const response = await fetch(url + path, { redirect: 'manual', ...init });
      expect({
        status: response.status,
        wait: response.headers.get('Retry-After'),
        body: await response.text(),
      }).toEqual({ status: 503, wait: '10', body });
    },
  );

  test('readiness fails immediately, also for parallel requests, and liveness succeeds', async () => {
    fail();
    const statuses = await Promise.all(
      ['readiness', 'readiness', 'liveness'].map(
        async (path) => (await fetch(`${url}/-/${path}`)).status,
      ),
    );
    expect(statuses).toEqual([503, 503, 200]);
  });

  test('git shows the reason', async () => {
    fail();
    const clone = promisify(execFile)('git', ['ls-remote', remote('ada/tools', ada)]);
    await expect(clone).rejects.toThrow(/503/);
  });

  test('requests succeed again after the database recovers', async () => {
    fail();
    expect((await as(ada).get(`/projects/${project.id}/issues`)).status).toBe(503);
    database.resume();
    await expect
      .poll(async () => (await as(ada).get(`/projects/${project.id}/issues`)).status)
      .toBe(200);
  });
});
