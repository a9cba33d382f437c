import { expect, test } from 'vitest';
import { graphqlClientOf } from '../support/graphql.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, url, root } = await world();
const graphql = graphqlClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve');
await seed.group('tools', { owner: ada, developer: bob }, { visibility: 'public' });
const { id: others } = await seed.group('others', { owner: ada }, { visibility: 'public' });
const { id: app } = await seed.project(
  'tools/app',
  { developer: bob },
  { visibility: 'public', request_access_enabled: true },
);
await seed.project('tools/secret', { developer: eve });
await seed.push('tools/app', { 'README.md': '# App' });
for (const [path, input] of [
  ['/groups/tools/variables', { key: 'TOKEN', value: 'secret' }],
  [`/projects/${app}/repository/branches`, { branch: 'topic', ref: 'master' }],
] as const) {
  expect((await as(ada).post(path, input)).status).toBe(201);
}
const issue = await as(ada).post(`/projects/${app}/issues`, { title: 'Obsolete' });
const { id: issueId } = issue.body as { readonly id: number };
expect((await as(eve).post(`/projects/${app}/access_requests`)).status).toBe(201);

/** The payload of a mutation that succeeds. */
async function payload(user: TestUser, mutation: string): Promise<unknown> {
  const { body } = await graphql(user, `mutation { payload: ${mutation} }`);
  expect(body).not.toHaveProperty('errors');
  return body.data?.payload;
}

const inApp = 'projectId: "tools/app"';
const project = { fullPath: 'tools/app' };
const group = { fullPath: 'tools' };

test('an ended membership shows the user, and the group or the project', async () => {
  const shown =
    'user { username } group { fullPath members { total } } project { fullPath members { total } }';
  expect(
    await payload(ada, `removeMember(input: { ${inApp}, userId: "User:${bob.id}" }) { ${shown} }`),
  ).toEqual({
    user: { username: 'bob' },
    group: null,
    project: { ...project, members: { total: 0 } },
  });
  expect(
    await payload(
      ada,
      `removeMember(input: { groupId: "tools", userId: "User:${bob.id}" }) { ${shown} }`,
    ),
  ).toEqual({
    user: { username: 'bob' },
    group: { ...group, members: { total: 2 } },
    project: null,
  });
});

test('a record that the user may no longer see is null', async () => {
  const left = `removeMember(input: { projectId: "tools/secret", userId: "User:${eve.id}" }) {
    user { username } project { fullPath } }`;
  expect(await payload(eve, left)).toEqual({ user: { username: 'eve' }, project: null });
});

test('a denied access request shows the user and the project', async () => {
  const denied = `denyAccessRequest(input: { ${inApp}, userId: "User:${eve.id}" }) {
    user { username } project { fullPath accessRequests { total } } }`;
  expect(await payload(ada, denied)).toEqual({
    user: { username: 'eve' },
    project: { ...project, accessRequests: { total: 0 } },
  });
});

test('a share and its end show the project and the group', async () => {
  const shown = 'project { fullPath sharedWithGroups { accessLevel } } group { fullPath }';
  const input = `id: "tools/app", groupId: "Group:${others}"`;
  const sharing = { group: { fullPath: 'others' } };
  expect(
    await payload(
      ada,
      `shareProject(input: { ${input}, accessLevel: DEVELOPER }) { link { accessLevel } ${shown} }`,
    ),
  ).toEqual({
    ...sharing,
    link: { accessLevel: 'DEVELOPER' },
    project: { ...project, sharedWithGroups: [{ accessLevel: 'DEVELOPER' }] },
  });
  expect(await payload(ada, `unshareProject(input: { ${input} }) { ${shown} }`)).toEqual({
    ...sharing,
    project: { ...project, sharedWithGroups: [] },
  });
});

test.each([
  ['deleteBranch', `${inApp}, name: "topic"`, 'name', { name: 'topic', project }],
  ['deleteIssue', `id: ${issueId}`, 'id', { id: `Issue:${issueId}`, project }],
  ['deleteForkRelation', inApp, '', { project }],
  ['resetRunnersToken', inApp, 'runnersToken', { runnersToken: expect.any(String), project }],
])('%s shows the project', async (name, input, own, expected) => {
  const deleted = `${name}(input: { ${input} }) { ${own} project { fullPath } }`;
  expect(await payload(ada, deleted)).toEqual(expected);
});

test('a deleted variable of a group shows the group', async () => {
  const deleted = `deleteVariable(input: { groupId: "tools", key: "TOKEN" }) {
    key group { fullPath } project { fullPath } }`;
  expect(await payload(ada, deleted)).toEqual({ key: 'TOKEN', group, project: null });
});

test('a custom attribute shows its owner', async () => {
  const set = `setCustomAttribute(input: { userId: "User:${bob.id}", key: "team", value: "a" }) {
    customAttribute { value } user { username customAttributes { key } } group { id } }`;
  expect(await payload(root, set)).toEqual({
    customAttribute: { value: 'a' },
    user: { username: 'bob', customAttributes: [{ key: 'team' }] },
    group: null,
  });
});

test('a removed e-mail address shows the current user unless another one is named', async () => {
  const added = (await payload(
    bob,
    'createEmail(input: { email: "bob2@example.com" }) { email { id } }',
  )) as {
    readonly email: { readonly id: string };
  };
  const removed = `deleteEmail(input: { id: "${added.email.id}" }) { user { username emails { total } } }`;
  expect(await payload(bob, removed)).toEqual({ user: { username: 'bob', emails: { total: 0 } } });
});

test('a transferred project is shown at its new path', async () => {
  const moved = `transferProject(input: { id: "tools/app", groupId: "others" }) {
    project { fullPath } group { fullPath } }`;
  expect(await payload(root, moved)).toEqual({
    project: { fullPath: 'others/app' },
    group: { fullPath: 'others' },
  });
  const back = `moveProject(input: { id: "others/app", namespaceId: "tools" }) {
    project { fullPath } }`;
  expect(await payload(root, back)).toEqual({ project: { fullPath: 'tools/app' } });
});
