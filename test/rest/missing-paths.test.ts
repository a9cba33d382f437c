import { expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed } = await world();
const ada = await seed.user('ada');
const { id: app } = await seed.project('ada/app', {}, { visibility: 'public' });
await seed.group('acme', { owner: ada });

const noPath = { status: 404, body: { error: '404 Not Found' } };

test.each([
  `/projects/${app}/releases/v1/evidence`,
  `/projects/${app}/pipelines/latest`,
  `/projects/${app}/issues/statistics`,
  `/projects/${app}/nothing`,
  `/projects/${app}/members/${ada.id}/nothing`,
  '/issues/statistics',
  // not served, as docs/api.md says
  `/projects/${app}/services/slack`,
  `/projects/${app}/pages/domains`,
  '/user/gpg_keys',
  `/users/${ada.id}/gpg_keys`,
  '/broadcast_messages',
  '/features',
  '/users/search',
  '/nothing',
])('GET %s gives 404', async (path) => {
  for (const person of [ada, null]) expect(await as(person).get(path)).toEqual(noPath);
});

test.each(['PUT', 'DELETE'])('%s of an unknown path gives 404', async (method) => {
  const { status } = await as(ada).fetch(`/projects/${app}/members/all`, { method });
  expect(status).toBe(404);
});

test('a word in place of an id is an invalid id', async () => {
  expect(await as(ada).get(`/projects/${app}/members/ada`)).toEqual(
    refused.parameter('user_id is invalid'),
  );
  expect((await as(ada).get(`/projects/${app}/repository/branches/all`)).body).toEqual({
    message: '404 Branch Not Found',
  });
});
