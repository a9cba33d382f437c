import { describe, expect, test } from 'vitest';
import { graphqlClientOf } from '../support/graphql.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const graphql = graphqlClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: group } = await seed.group('tools', { owner: [ada] });
const { id: app } = await seed.project('tools/app');
await seed.push('tools/app', { 'README.md': 'hello' });

const created = async (path: string, body: Record<string, unknown>) => {
  const response = await as(ada).post(path, body);
  expect(response.status).toBe(201);
  return response.body as { id: number; iid: number };
};
const issue = await created(`/projects/${app}/issues`, { title: 'Broken' });
const note = await created(`/projects/${app}/issues/${issue.iid}/notes`, { body: 'Indeed' });
const milestone = await created(`/projects/${app}/milestones`, { title: '1.0' });
const snippet = await created(`/projects/${app}/snippets`, {
  title: 'Fix',
  file_name: 'fix.sh',
  code: 'true',
  visibility: 'private',
});

const nodes: Readonly<Record<string, number>> = {
  Project: app,
  Group: group,
  User: ada.id,
  Issue: issue.id,
  Note: note.id,
  Milestone: milestone.id,
  Snippet: snippet.id,
};

describe('node', () => {
  test.each(Object.entries(nodes))('finds a %s by its global id', async (type, number) => {
    const id = `${type}:${number}`;
    const query = `query ($id: ID!) { node(id: $id) { __typename id } }`;
    expect(await graphql(ada, query, { id })).toEqual({
      status: 200,
      body: { data: { node: { __typename: type, id } } },
    });
  });

  test('reads the fields that the document selects of the type', async () => {
    const query = `query ($id: ID!) {
      node(id: $id) {
        ... on Issue { title author { username } project { fullPath } }
        ... on Project { name }
      }
    }`;
    expect((await graphql(ada, query, { id: `Issue:${issue.id}` })).body).toEqual({
      data: {
        node: { title: 'Broken', author: { username: 'ada' }, project: { fullPath: 'tools/app' } },
      },
    });
  });

  test.each(Object.entries(nodes).filter(([type]) => type !== 'User'))(
    'hides a %s that the current user may not see',
    async (type, number) => {
      const { body } = await graphql(bob, `{ node(id: "${type}:${number}") { id } }`);
      expect(body).toMatchObject({
        data: { node: null },
        errors: [{ extensions: { code: 'NOT_FOUND' } }],
      });
    },
  );

  test.each([
    ['Issue:999999', 'NOT_FOUND'],
    ['Unknown:1', 'NOT_FOUND'],
    ['PageInfo:1', 'NOT_FOUND'],
    ['42', 'INVALID'],
    ['Issue:4294967296', 'INVALID'],
    ['Issue:1:2', 'INVALID'],
  ])('rejects the id %s as %s', async (id, code) => {
    const { body } = await graphql(ada, `{ node(id: "${id}") { id } }`);
    expect(body).toMatchObject({ data: { node: null }, errors: [{ extensions: { code } }] });
  });
});

describe('project, group', () => {
  test.each([`"tools/app"`, `"${app}"`, app, `"Project:${app}"`])('project(id: %s)', async (id) => {
    expect((await graphql(ada, `{ project(id: ${id}) { fullPath } }`)).body).toEqual({
      data: { project: { fullPath: 'tools/app' } },
    });
  });

  test.each([`"tools"`, group, `"Group:${group}"`])('group(id: %s)', async (id) => {
    expect((await graphql(ada, `{ group(id: ${id}) { fullPath } }`)).body).toEqual({
      data: { group: { fullPath: 'tools' } },
    });
  });
});

describe('user, currentUser', () => {
  test.each([`id: ${bob.id}`, `id: "User:${bob.id}"`, `username: "bob"`, `username: "BOB"`])(
    'user(by: { %s })',
    async (by) => {
      expect((await graphql(ada, `{ user(by: { ${by} }) { username } }`)).body).toEqual({
        data: { user: { username: 'bob' } },
      });
    },
  );

  test('a user that does not exist is not found', async () => {
    const { body } = await graphql(ada, '{ user(by: { username: "nobody" }) { id } }');
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  });

  test('currentUser is null for an anonymous user', async () => {
    const query = '{ currentUser { username } }';
    expect((await graphql(ada, query)).body).toEqual({
      data: { currentUser: { username: 'ada' } },
    });
    expect((await graphql(null, query)).body).toEqual({ data: { currentUser: null } });
  });
});

test('access levels are an enum', async () => {
  const add = `mutation ($level: AccessLevel!) {
    addMember(input: { source: { project: "tools/app" }, userId: ${bob.id}, accessLevel: $level }) {
      member { accessLevel }
    }
  }`;
  const { body } = await graphql(ada, add, { level: 'REPORTER' });
  expect(body).toEqual({ data: { addMember: { member: { accessLevel: 'REPORTER' } } } });
  const query = '{ project(id: "tools/app") { access { level projectLevel groupLevel } } }';
  expect((await graphql(bob, query)).body).toEqual({
    data: {
      project: { access: { level: 'REPORTER', projectLevel: 'REPORTER', groupLevel: null } },
    },
  });
});
