import { expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');

const shown = {
  id: expect.any(Number),
  url: 'https://hooks.example.com/all',
  created_at: expect.any(String),
  push_events: false,
  tag_push_events: true,
  repository_update_events: true,
  enable_ssl_verification: true,
};

const sample = {
  event_name: 'project_create',
  name: 'Ruby',
  path: 'ruby',
  project_id: 1,
  owner_name: 'Someone',
  owner_email: 'someone@example.com',
};

test.each([
  ['a user', ada, refused.forbidden],
  ['anonymous users', null, refused.anonymous],
])('is refused to %s', async (_caller, person, refusal) => {
  const api = as(person);
  const responses = [
    await api.get('/hooks'),
    await api.post('/hooks'),
    await api.get('/hooks/1'),
    await api.post('/hooks/1'),
    await api.delete('/hooks/1'),
  ];
  for (const response of responses) expect(response).toEqual(refusal);
});

test('an administrator creates, tests and deletes a system hook', async () => {
  const api = as(root);
  const input = { url: shown.url, token: 's3cret', tag_push_events: true };
  expect(await api.post('/hooks', input)).toEqual({ status: 201, body: shown });
  expect(await api.get('/hooks')).toEqual({ status: 200, body: [shown] });
  const { id } = await db.webHook.findFirstOrThrow();
  expect(await api.get(`/hooks/${id}`)).toEqual({ status: 200, body: sample });
  expect(await api.post(`/hooks/${id}`)).toEqual({ status: 201, body: sample });
  expect(
    await db.hookDelivery.findMany({
      where: { hookId: id },
      select: { event: true, payload: true },
    }),
  ).toEqual(Array(2).fill({ event: 'System Hook', payload: sample }));
  expect(await api.delete(`/hooks/${id}`)).toEqual({ status: 204, body: null });
  for (const method of ['get', 'post', 'delete'] as const) {
    expect(await api[method](`/hooks/${id}`)).toEqual({
      status: 404,
      body: { message: '404 Not found' },
    });
  }
});

test('rejects a missing or invalid URL', async () => {
  expect(await as(root).post('/hooks')).toEqual(refused.parameter('url is missing'));
  expect(await as(root).post('/hooks', { url: 'http://127.0.0.1' })).toEqual({
    status: 422,
    body: { error: 'Invalid url given' },
  });
});

test('concurrent requests do not exceed the limit of 100 hooks', async () => {
  const { id } = await seed.project('ada/app');
  const hook = { url: shown.url };
  await db.webHook.create({ data: { ...hook, projectId: id } });
  await db.webHook.createMany({ data: Array.from({ length: 99 }, () => hook) });
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => as(root).post('/hooks', hook)),
  );
  const full = refused.invalid({ base: ['Maximum number of system hooks (100) exceeded'] });
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(responses.filter(({ status }) => status !== 201)).toEqual(Array(19).fill(full));
  expect(await db.webHook.count({ where: { projectId: null } })).toBe(100);
});
