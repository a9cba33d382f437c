import { expect, test } from 'vitest';
import { graphqlClientOf } from '../../support/graphql.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const { as, seed, url, root } = await world();
const graphql = graphqlClientOf(url);
const ada = await seed.user('ada');
const max = await seed.user('max');
const dev = await seed.user('dev');
const eve = await seed.user('eve');
const requestable = { visibility: 'public', request_access_enabled: true };
await seed.group('tools', { owner: ada, master: max, developer: dev }, requestable);
await seed.group('tools/ci', {}, { visibility: 'public' });
await seed.group('open', {}, { visibility: 'public' });
const { id: app } = await seed.project('tools/app', {}, requestable);
await seed.project('ada/own', { developer: dev }, { visibility: 'public' });

/** The data of a document that succeeds. */
async function data(user: TestUser | null, query: string) {
  const { body } = await graphql(user, query);
  expect(body).not.toHaveProperty('errors');
  return body.data;
}

test.each([
  ['owners', ada, ['tools', 'tools/ci'], ['open']],
  ['masters', max, ['tools', 'tools/ci'], ['open']],
  ['developers', dev, [], ['open', 'tools', 'tools/ci']],
  ['other users', eve, [], ['open', 'tools', 'tools/ci']],
  ['administrators', root, ['open', 'tools', 'tools/ci'], []],
  ['anonymous users', null, [], ['open', 'tools', 'tools/ci']],
] as const)(
  '%s filter groups by whether they may create projects',
  async (_name, user, own, others) => {
    const listed = await data(
      user,
      `{
      own: groups(filter: { canCreateProjects: true }, orderBy: PATH) { nodes { fullPath } }
      others: groups(filter: { canCreateProjects: false }, orderBy: PATH) { nodes { fullPath } }
    }`,
    );
    const { own: shown, others: rest } = listed as Record<
      'own' | 'others',
      { nodes: { fullPath: string }[] }
    >;
    expect(shown.nodes.map(({ fullPath }) => fullPath).sort()).toEqual([...own]);
    expect(rest.nodes.map(({ fullPath }) => fullPath).sort()).toEqual([...others]);
  },
);

test.each([
  ['owners', ada, ['tools', 'tools/ci'], ['open']],
  ['masters', max, [], ['open', 'tools', 'tools/ci']],
  ['administrators', root, ['open', 'tools', 'tools/ci'], []],
  ['anonymous users', null, [], ['open', 'tools', 'tools/ci']],
] as const)(
  '%s filter groups by whether they may administer them',
  async (_name, user, own, others) => {
    const listed = await data(
      user,
      `{
      own: groups(filter: { canAdminister: true }, orderBy: PATH) { nodes { fullPath } }
      others: groups(filter: { canAdminister: false }, orderBy: PATH) { nodes { fullPath } }
    }`,
    );
    const paths = Object.values(listed as object).map(({ nodes }) =>
      (nodes as { fullPath: string }[]).map(({ fullPath }) => fullPath).sort(),
    );
    expect(paths).toEqual([own, others]);
  },
);

test('a user sees whether access may be requested and since when a request is pending', async () => {
  const query = `{
    group(id: "tools") { canRequestAccess accessRequestedAt }
    project(id: "tools/app") { canRequestAccess accessRequestedAt }
    closed: group(id: "open") { canRequestAccess }
  }`;
  const access = (canRequestAccess: boolean, accessRequestedAt: unknown = null) => ({
    group: { canRequestAccess, accessRequestedAt },
    project: { canRequestAccess, accessRequestedAt },
    closed: { canRequestAccess: false },
  });
  expect(await data(eve, query)).toEqual(access(true));
  expect((await as(eve).post(`/projects/${app}/access_requests`)).status).toBe(201);
  expect((await as(eve).post('/groups/tools/access_requests')).status).toBe(201);
  expect(await data(eve, query)).toEqual(access(true, expect.any(String)));
  expect(await data(dev, query)).toEqual(access(false));
  expect(await data(root, query)).toEqual(access(false));
  expect(await data(null, query)).toEqual(access(false));
});

test('a group keeps its last owner, and a personal project its owner', async () => {
  const query = `{
    group(id: "tools") { members { nodes { canBeRemoved user { username } } } }
    project(id: "ada/own") { members { nodes { canBeRemoved user { username } } } }
  }`;
  const member = (username: string, canBeRemoved: boolean) => ({
    canBeRemoved,
    user: { username },
  });
  const group = await data(ada, query);
  expect(group).toEqual({
    group: {
      members: {
        nodes: expect.arrayContaining([member('max', true), member('dev', true)]),
      },
    },
    project: { members: { nodes: [member('ada', false), member('dev', true)] } },
  });
  const { id } = await seed.group('lonely', {}, {});
  expect(
    await data(root, '{ group(id: "lonely") { members { nodes { canBeRemoved } } } }'),
  ).toEqual({ group: { members: { nodes: [{ canBeRemoved: false }] } } });
  await as(root).post(`/groups/${id}/members`, { user_id: ada.id, access_level: 50 });
  expect(
    await data(root, '{ group(id: "lonely") { members { nodes { canBeRemoved } } } }'),
  ).toEqual({ group: { members: { nodes: [{ canBeRemoved: true }, { canBeRemoved: true }] } } });
});
