import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const users = {
  otherUser: await seed.user('outsider'),
  guest: await seed.user('guest'),
  developer: await seed.user('developer'),
  master: await seed.user('master'),
};
const { otherUser, master, ...members } = users;
await seed.group('top');
let count = 0;

async function createProject() {
  count += 1;
  const { id } = await seed.project(`top/p${count}`, { ...members, master });
  return { id, hooks: `/projects/${id}/hooks` };
}

const address = 'https://hooks.example.com/millrace?to=us';

const shown = (id: number, changes = {}) => ({
  id: expect.any(Number),
  url: address,
  created_at: expect.any(String),
  push_events: true,
  tag_push_events: false,
  repository_update_events: false,
  enable_ssl_verification: true,
  project_id: id,
  issues_events: false,
  merge_requests_events: false,
  note_events: false,
  pipeline_events: false,
  wiki_page_events: false,
  job_events: false,
  ...changes,
});

const invalidUrl = { status: 422, body: { error: 'Invalid url given' } };
const notFound = { status: 404, body: { message: '404 Not found' } };

test.each([
  ['a guest', users.guest, refused.forbidden],
  ['a developer', users.developer, refused.forbidden],
  ['another user', otherUser, refused.missing('Project')],
  ['an anonymous user', null, refused.anonymous],
])('%s is refused before the parameters are checked', async (_caller, person, refusal) => {
  const { hooks } = await createProject();
  const api = as(person);
  const responses = [
    await api.get(hooks),
    await api.get(`${hooks}/1`),
    await api.post(hooks),
    await api.put(`${hooks}/1`),
    await api.delete(`${hooks}/1`),
  ];
  for (const response of responses) expect(response).toEqual(refusal);
});

describe('POST /projects/:id/hooks', () => {
  test.each([
    ['a master', master],
    ['an administrator', root],
  ])('%s creates a hook; its token is encrypted and not shown', async (_caller, person) => {
    const { id, hooks } = await createProject();
    const input = { url: address, token: 's3cret', push_events: false, note_events: 'true' };
    const flags = { issues_events: 1, confidential_issues_events: true, job_events: 'on' };
    const body = shown(id, {
      push_events: false,
      note_events: true,
      issues_events: true,
      job_events: true,
    });
    const created = await as(person).post(hooks, { ...input, ...flags });
    expect(created).toEqual({ status: 201, body });
    const stored = await db.webHook.findFirstOrThrow({ where: { projectId: id } });
    expect(stored.onConfidentialIssue).toBe(true);
    expect(JSON.stringify(stored)).not.toContain('s3cret');
  });

  test('credentials in the URL are not shown', async () => {
    const { id, hooks } = await createProject();
    const url = address.replace('://', '://bob:p%40ss@');
    expect(await as(master).post(hooks, { url })).toEqual({ status: 201, body: shown(id) });
    const stored = await db.webHook.findFirstOrThrow({ where: { projectId: id } });
    expect(stored.url).toBe(address);
  });

  test.for([
    ['an FTP address', 'ftp://example.com'],
    ['a file', 'file:///etc/passwd'],
    ['an address without a scheme', 'example.com'],
    ['nothing', ''],
    ['no host', 'http://'],
    ['localhost', 'http://localhost/x'],
    ['a loopback address', 'http://127.0.0.1:8080'],
    ['an IPv6 loopback address', 'http://[::1]/'],
    ['a private address', 'http://10.0.0.1'],
    ['a link-local address', 'http://169.254.169.254/latest'],
    ['a loopback address in hexadecimal', 'http://0x7f000001/'],
    ['a space', 'https://example.com/a b'],
    ['a NUL character', 'https://example.com/\u0000'],
    ['3,000 characters', `https://example.com/${'x'.repeat(3000)}`],
  ] as const)('rejects as URL %s', async ([, url]) => {
    const { hooks } = await createProject();
    const response = await as(master).post(hooks, { url });
    expect([invalidUrl.status, 400]).toContain(response.status);
    if (!url.includes('\0')) expect(response).toEqual(invalidUrl);
  });

  test('concurrent requests do not exceed the limit of 100 hooks', async () => {
    const { id, hooks } = await createProject();
    const existing = { projectId: id, url: address, onIssue: true };
    await db.webHook.createMany({ data: Array.from({ length: 95 }, () => existing) });
    const input = { url: address, issues_events: true };
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => as(master).post(hooks, input)),
    );
    const full = refused.invalid({ base: ['Maximum number of project hooks (100) exceeded'] });
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(responses.filter(({ status }) => status !== 201)).toEqual(Array(15).fill(full));
    expect(await db.webHook.count({ where: { projectId: id } })).toBe(100);
    expect((await as(master).post((await createProject()).hooks, input)).status).toBe(201);
    expect((await as(master).post(`/projects/${id}/issues`, { title: 'Leak' })).status).toBe(201);
    const where = { hook: { projectId: id }, event: 'Issue Hook' };
    const deliveries = await db.hookDelivery.findMany({
      where,
      select: { id: true, hookId: true },
    });
    expect(new Set(deliveries.map(({ hookId }) => hookId)).size).toBe(100);
    const jobs = await db.$queryRaw<{ deliveryId: number; hookId: number; group: string }[]>`
      SELECT (data->>'deliveryId')::int AS "deliveryId", (data->>'hookId')::int AS "hookId",
        group_id AS "group"
      FROM pgboss.job WHERE name = 'deliver-hook' ORDER BY 1`;
    expect(jobs).toEqual(
      deliveries
        .toSorted((first, second) => first.id - second.id)
        .map((delivery) => ({
          deliveryId: delivery.id,
          hookId: delivery.hookId,
          group: String(delivery.hookId),
        })),
    );
  });

  test('rejects missing and invalid parameters', async () => {
    const { hooks } = await createProject();
    expect(await as(master).post(hooks)).toEqual(refused.parameter('url is missing'));
    expect(await as(master).post(hooks, { url: address, push_events: 'maybe' })).toEqual(
      refused.parameter('push_events is invalid'),
    );
    expect(await as(master).post(hooks, { url: address, token: 'a\nb' })).toEqual(
      refused.invalid({ token: ['is invalid'] }),
    );
  });
});

describe('existing hooks', () => {
  test('hooks are listed, shown, updated and deleted', async () => {
    const { id, hooks } = await createProject();
    const api = as(master);
    const { body } = await api.post(hooks, { url: address });
    const path = `${hooks}/${(body as { id: number }).id}`;
    expect(await api.get(hooks)).toEqual({ status: 200, body: [shown(id)] });
    expect(await api.get(path)).toEqual({ status: 200, body: shown(id) });
    expect(await api.put(path, { url: `${address}2`, tag_push_events: true })).toEqual({
      status: 200,
      body: shown(id, { url: `${address}2`, tag_push_events: true }),
    });
    expect(await api.put(path, { url: 'nowhere' })).toEqual(invalidUrl);
    expect(await api.put(path)).toEqual(refused.parameter('url is missing'));
    const other = await createProject();
    expect(await api.get(`${other.hooks}/${(body as { id: number }).id}`)).toEqual(notFound);
    expect(await api.delete(path)).toEqual({ status: 204, body: null });
    for (const method of ['get', 'delete'] as const)
      expect(await api[method](path)).toEqual(notFound);
    expect(await api.put(path, { url: address })).toEqual(notFound);
  });
});
