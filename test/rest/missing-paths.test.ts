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

test.each([
  ['GET', '/nothing', { Accept: 'text/plain' }],
  ['GET', `/projects/${app}/nothing`, { Accept: 'application/x-git;q=0.9, */*;q=0' }],
  // as clients upload packages
  ['PUT', `/projects/${app}/packages/generic/app/1.0/app.bin`, { 'Content-Type': 'text/plain' }],
  ['POST', '/nothing', { 'Content-Type': 'application/octet-stream', 'Content-Encoding': 'br' }],
])('%s %s with %j gives 404 in JSON', async (method, path, headers) => {
  const body = method === 'GET' ? null : 'bytes';
  for (const person of [ada, null]) {
    const response = await as(person).fetch(path, { method, headers, body });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(noPath.body);
  }
});

test('a method that a path does not have gives 405 before the body is read', async () => {
  const headers = { 'Content-Type': 'text/plain' };
  const { status } = await as(ada).fetch('/version', { method: 'PUT', headers, body: 'bytes' });
  expect(status).toBe(405);
});

test('a word in place of an id is an invalid id', async () => {
  expect(await as(ada).get(`/projects/${app}/members/ada`)).toEqual(
    refused.parameter('user_id is invalid'),
  );
  expect((await as(ada).get(`/projects/${app}/repository/branches/all`)).body).toEqual({
    message: '404 Branch Not Found',
  });
});
