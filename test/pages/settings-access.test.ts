import { expect, test } from 'vitest';
import { ciProject } from '../support/ci-pages.ts';
import type { TestUser } from '../support/seed.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, db } = server;
const ada = await seed.user('ada');
const [mia, dan, rae, gus, bob] = [
  await seed.user('mia'),
  await seed.user('dan'),
  await seed.user('rae'),
  await seed.user('gus'),
  await seed.user('bob'),
];
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const roles = { master: mia, developer: dan, reporter: rae, guest: gus };
const open = await ciProject(server, {
  path: 'acme/open',
  roles,
  settings: { visibility: 'public' },
});
const secret = await ciProject(server, {
  path: 'acme/secret',
  roles,
  settings: { visibility: 'private' },
});

const signedIn = async (user: TestUser) => {
  const visitor = visitorAt(server.url);
  await visitor.signIn(user);
  return visitor;
};
const visitors = {
  anonymous: visitorAt(server.url),
  outsider: await signedIn(bob),
  guest: await signedIn(gus),
  reporter: await signedIn(rae),
  developer: await signedIn(dan),
  master: await signedIn(mia),
};

const statuses = async (
  send: (visitor: (typeof visitors)['guest']) => Promise<{ status: number }>,
) => Promise.all(Object.values(visitors).map(async (visitor) => (await send(visitor)).status));

const masters = [302, 403, 403, 403, 403, 200];
const developers = [302, 403, 403, 403, 200, 200];

test.each([
  ['settings/repository', masters],
  ['settings/ci_cd', masters],
  ['hooks', masters],
  ['pipelines/new', developers],
  ['pipeline_schedules', developers],
  ['pipeline_schedules/new', developers],
  ['environments', [302, 403, 403, 200, 200, 200]],
  ['environments/new', developers],
  ['ci/lint', [200, 200, 200, 200, 200, 200]],
  ['settings/unknown', [404, 404, 404, 404, 404, 404]],
  ['settings/ci_cd/unknown', [404, 404, 404, 404, 404, 404]],
  ['hooks/x/edit', [404, 404, 404, 404, 404, 404]],
])('%s of a public project', async (address, expected) => {
  expect(await statuses((visitor) => visitor.get(`/acme/open/${address}`))).toEqual(expected);
});

test.each(['settings/repository', 'settings/ci_cd', 'hooks', 'environments', 'pipeline_schedules'])(
  '%s of a private project respond with 404 to users who do not see it',
  async (address) => {
    const [, outsider, guest] = await statuses((visitor) => visitor.get(`/acme/secret/${address}`));
    expect([outsider, guest]).toEqual([404, 403]);
  },
);

test('variables of a group are for its owners', async () => {
  const address = '/groups/acme/settings/ci_cd';
  expect(await statuses((visitor) => visitor.get(address))).toEqual([302, 403, 403, 403, 403, 403]);
  expect((await (await signedIn(ada)).get(address)).status).toBe(200);
});

test.each([
  ['settings/repository/protected_branches', { name: 'x' }],
  ['settings/repository/protected_tags', { name: 'x' }],
  ['settings/repository/deploy_keys', { title: 'x', key: 'x' }],
  ['settings/ci_cd/general', { timeout: '60' }],
  ['settings/ci_cd/variables', { key: 'X', value: 'x' }],
  ['settings/ci_cd/shared_runners', { enabled: '0' }],
  ['settings/ci_cd/runners_token', { unused: '1' }],
  ['settings/ci_cd/triggers', { description: 'x' }],
  ['hooks', { url: 'https://example.com' }],
])('the form %s is refused to developers', async (address, fields) => {
  const place = `/acme/open/${address}`;
  expect((await visitors.developer.submit(place, fields)).status).toBe(403);
  expect((await visitors.outsider.submit(`/acme/secret/${address}`, fields)).status).toBe(404);
  expect((await visitors.master.post(place, fields)).status).toBe(403);
  const where = { projectId: { in: [open.id, secret.id] } };
  expect(await db.protectedBranch.count({ where })).toBe(0);
  expect(await db.variable.count()).toBe(0);
  expect(await db.trigger.count()).toBe(0);
  expect(await db.webHook.count()).toBe(0);
});
