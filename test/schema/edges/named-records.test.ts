import { expect, test } from 'vitest';
import { graphqlClientOf } from '../../support/graphql.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const { as, seed, db, url } = await world();
const graphql = graphqlClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: groupId } = await seed.group('tools', { owner: ada }, { visibility: 'public' });
const { id } = await seed.project('tools/app', { developer: bob }, { visibility: 'public' });
await seed.project('tools/lib', {}, { visibility: 'public' });
await seed.project('bob/own', {}, { visibility: 'public' });
for (const [path, input] of [
  [`/projects/${id}/variables`, { key: 'TOKEN', value: 'of the project' }],
  [`/groups/${groupId}/variables`, { key: 'TOKEN', value: 'of the group' }],
  [`/projects/${id}/labels`, { name: 'bug', color: '#ff0000' }],
  [`/projects/${id}/protected_branches`, { name: 'release-*' }],
] as const) {
  expect((await as(ada).post(path, input)).status).toBe(201);
}
await label('tools', 'bug', '#00ff00');
await label('tools', 'idea', '#0000ff');

async function label(group: string, name: string, color: string) {
  const input = `groupId: "${group}", name: "${name}", color: "${color}"`;
  await data(ada, `mutation { createLabel(input: { ${input} }) { label { id } } }`);
}

/** The data of a document that succeeds. */
async function data(user: TestUser | null, query: string) {
  const { body } = await graphql(user, query);
  expect(body).not.toHaveProperty('errors');
  return body.data;
}

const query = `{
  project(id: "tools/app") {
    variable(key: "TOKEN") { value }
    noVariable: variable(key: "OTHER") { value }
    protectedBranch(name: "release-*") { name }
    noProtectedBranch: protectedBranch(name: "master") { name }
    own: label(name: "bug") { color }
    ofGroup: label(name: "idea") { color }
    noLabel: label(name: "other") { color }
    issue(iid: 1) { title }
    member(userId: "User:${bob.id}") { accessLevel user { username } }
    noMember: member(userId: "User:${ada.id}") { accessLevel }
  }
  group(id: "tools") {
    variable(key: "TOKEN") { value }
    label(name: "bug") { color }
    member(userId: "User:${ada.id}") { accessLevel }
    noMember: member(userId: "User:${bob.id}") { accessLevel }
    projects(orderBy: PATH, sort: ASC) { nodes { path label(name: "bug") { color } member(userId: "User:${bob.id}") { accessLevel } } }
  }
}`;
const labels = {
  issue: null,
  own: { color: '#ff0000' },
  ofGroup: { color: '#0000ff' },
  noLabel: null,
};
const developer = { accessLevel: 'DEVELOPER' };
const members = { member: { ...developer, user: { username: 'bob' } }, noMember: null };
const group = {
  label: { color: '#00ff00' },
  member: { accessLevel: 'OWNER' },
  noMember: null,
  projects: {
    nodes: [
      { path: 'app', label: { color: '#ff0000' }, member: developer },
      { path: 'lib', label: { color: '#00ff00' }, member: null },
    ],
  },
};
const forMasters = {
  variable: null,
  noVariable: null,
  protectedBranch: null,
  noProtectedBranch: null,
};

test('a project and a group lead to single records by their names', async () => {
  expect(await data(ada, query)).toEqual({
    project: {
      ...forMasters,
      ...labels,
      ...members,
      variable: { value: 'of the project' },
      protectedBranch: { name: 'release-*' },
    },
    group: { ...group, variable: { value: 'of the group' } },
  });
});

test('a user below master sees neither variables nor protected branches', async () => {
  expect(await data(bob, query)).toEqual({
    project: { ...forMasters, ...labels, ...members },
    group: { ...group, variable: null },
  });
});

test('an anonymous user sees neither issues, labels nor members', async () => {
  const none = { label: null, member: null };
  expect(await data(null, query)).toEqual({
    project: {
      ...forMasters,
      issue: null,
      own: null,
      ofGroup: null,
      noLabel: null,
      member: null,
      noMember: null,
    },
    group: {
      ...none,
      variable: null,
      noMember: null,
      projects: {
        nodes: [
          { path: 'app', ...none },
          { path: 'lib', ...none },
        ],
      },
    },
  });
});

test('a user leads to the projects of memberships and to personal ones', async () => {
  const projects = `{ user(by: { username: "bob" }) {
    projects(orderBy: PATH, sort: ASC) { nodes { fullPath } } personalProjects { nodes { fullPath } } } }`;
  const personalProjects = { nodes: [{ fullPath: 'bob/own' }] };
  expect(await data(ada, projects)).toEqual({
    user: {
      projects: { nodes: [{ fullPath: 'tools/app' }, { fullPath: 'bob/own' }] },
      personalProjects,
    },
  });
  expect(await data(null, projects)).toEqual({ user: { projects: null, personalProjects } });
});

test('a master changes the levels of a protection rule', async () => {
  const update = (levels: string, name = 'release-*') => `mutation {
    updateProtectedBranch(input: { projectId: "tools/app", name: "${name}", ${levels} }) {
      protectedBranch { pushAccessLevel mergeAccessLevel } } }`;
  const shown = (push: string, merge: string) => ({
    updateProtectedBranch: {
      protectedBranch: { pushAccessLevel: push, mergeAccessLevel: merge },
    },
  });
  expect(await data(ada, update('pushAccessLevel: NO_ACCESS'))).toEqual(
    shown('NO_ACCESS', 'MASTER'),
  );
  expect(await data(ada, update('mergeAccessLevel: DEVELOPER, pushAccessLevel: null'))).toEqual(
    shown('NO_ACCESS', 'DEVELOPER'),
  );
  const refusals = [
    [ada, update('pushAccessLevel: GUEST'), 'INVALID'],
    [ada, update('pushAccessLevel: MASTER', 'other'), 'NOT_FOUND'],
    [bob, update('pushAccessLevel: MASTER'), 'FORBIDDEN'],
    [null, update('pushAccessLevel: MASTER'), 'UNAUTHENTICATED'],
  ] as const;
  for (const [user, document, code] of refusals) {
    expect((await graphql(user, document)).body).toMatchObject({
      errors: [{ extensions: { code } }],
    });
  }
  expect(await data(ada, update('pushAccessLevel: null'))).toEqual(shown('NO_ACCESS', 'DEVELOPER'));
});

test('a master changes the level of a protection rule of tags', async () => {
  await data(
    ada,
    `mutation { createProtectedTag(input: { projectId: "tools/app", name: "v*" }) { __typename } }`,
  );
  const update = (level: string, name = 'v*') => `mutation {
    updateProtectedTag(input: { projectId: "tools/app", name: "${name}", createAccessLevel: ${level} }) {
      protectedTag { createAccessLevel } } }`;
  expect(await data(ada, update('DEVELOPER'))).toEqual({
    updateProtectedTag: { protectedTag: { createAccessLevel: 'DEVELOPER' } },
  });
  const refusals = [
    [ada, update('GUEST'), 'INVALID'],
    [ada, update('MASTER', 'other'), 'NOT_FOUND'],
    [bob, update('MASTER'), 'FORBIDDEN'],
    [null, update('MASTER'), 'UNAUTHENTICATED'],
  ] as const;
  for (const [user, document, code] of refusals) {
    expect((await graphql(user, document)).body).toMatchObject({
      errors: [{ extensions: { code } }],
    });
  }
});

test('a label leads to the project or group that it belongs to', async () => {
  const { id: vault } = await seed.group('vault', { owner: ada }, { visibility: 'public' });
  await seed.project('vault/open', {}, { visibility: 'public' });
  await db.namespace.update({ where: { id: vault }, data: { visibility: 'private' } });
  await label('vault', 'hidden', '#00ffff');
  const labelsOf = (path: string) =>
    `{ project(id: "${path}") { labels { nodes { name project { fullPath } group { fullPath } } } } }`;
  const tools = { project: null, group: { fullPath: 'tools' } };
  const ofApp = { project: { fullPath: 'tools/app' }, group: null };
  const { project } = (await data(bob, labelsOf('tools/app'))) as unknown as {
    readonly project: { readonly labels: { readonly nodes: readonly object[] } };
  };
  expect(project.labels.nodes).toHaveLength(3);
  expect(project.labels.nodes).toEqual(
    expect.arrayContaining([
      { name: 'bug', ...tools },
      { name: 'bug', ...ofApp },
      { name: 'idea', ...tools },
    ]),
  );
  const hidden = (group: object | null) => ({
    project: { labels: { nodes: [{ name: 'hidden', project: null, group }] } },
  });
  expect(await data(ada, labelsOf('vault/open'))).toEqual(hidden({ fullPath: 'vault' }));
  expect(await data(bob, labelsOf('vault/open'))).toEqual(hidden(null));
});
