import { expect, test } from 'vitest';
import { graphqlClientOf } from '../support/graphql.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const request = graphqlClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const project = await seed.project('ada/app', { reporter: bob });
await seed.push('ada/app', { 'README.md': '# App' });

const at = (path: string) => `/projects/${project.id}/${path}`;

async function created(path: string, body: Readonly<Record<string, unknown>>) {
  const { status, body: record } = await as(ada).post(at(path), body);
  expect(status).toBe(201);
  return record as { readonly id: number; readonly iid: number };
}

/** The field `key` of the payload of the mutation. */
async function updated(mutation: string, input: object, selection: string) {
  const name = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const document = `mutation Update($input: ${name}!) { ${mutation}(input: $input) ${selection} }`;
  const { body } = await request(ada, document, { input });
  expect(body).not.toHaveProperty('errors');
  return (body.data as Record<string, unknown>)[mutation];
}

const inProject = { projectId: String(project.id) };

test('a webhook keeps its URL, its sign-in data and its token', async () => {
  const { id } = await created('hooks', {
    url: 'https://user:secret@hooks.example.com/push',
    token: 'sesame',
  });
  const selection = '{ hook { url pushEvents tagPushEvents } }';
  const input = { id: `Hook:${id}`, tagPushEvents: true };
  expect(await updated('updateHook', input, selection)).toEqual({
    hook: { url: 'https://hooks.example.com/push', pushEvents: true, tagPushEvents: true },
  });
});

test('a membership keeps its level, and null removes its end', async () => {
  const member = { ...inProject, userId: String(bob.id) };
  const selection = '{ member { accessLevel expiresAt } }';
  const limited = { member: { accessLevel: 'REPORTER', expiresAt: '2999-01-01' } };
  const input = { ...member, expiresAt: '2999-01-01' };
  expect(await updated('updateMember', input, selection)).toEqual(limited);
  expect(await updated('updateMember', member, selection)).toEqual(limited);
  expect(await updated('updateMember', { ...member, expiresAt: null }, selection)).toEqual({
    member: { accessLevel: 'REPORTER', expiresAt: null },
  });
  expect(await updated('updateMember', { ...member, accessLevel: 'GUEST' }, selection)).toEqual({
    member: { accessLevel: 'GUEST', expiresAt: null },
  });
});

test('a release keeps its description', async () => {
  await created('repository/tags', { tag_name: 'v1', ref: 'master' });
  await created('repository/tags/v1/release', { description: 'The first' });
  const input = { ...inProject, tagName: 'v1' };
  expect(await updated('updateRelease', input, '{ release { description } }')).toEqual({
    release: { description: 'The first' },
  });
});

test('a milestone keeps its fields, and is closed and reopened by the event', async () => {
  const { id } = await created('milestones', { title: 'one', due_date: '2999-01-01' });
  const milestone = { id: `Milestone:${id}` };
  const selection = '{ milestone { title dueDate state } }';
  const shown = (state: string) => ({ milestone: { title: 'one', dueDate: '2999-01-01', state } });
  const change = (input: object) =>
    updated('updateMilestone', { ...milestone, ...input }, selection);
  expect(await change({})).toEqual(shown('ACTIVE'));
  expect(await change({ stateEvent: 'CLOSE' })).toEqual(shown('CLOSED'));
  expect(await change({ stateEvent: 'CLOSE' })).toEqual(shown('CLOSED'));
  expect(await change({ stateEvent: 'REOPEN' })).toEqual(shown('ACTIVE'));
});

test('a note keeps its text', async () => {
  const issue = await created('issues', { title: 'one' });
  const { id } = await created(`issues/${issue.iid}/notes`, { body: 'Hello' });
  expect(await updated('updateNote', { id: `Note:${id}` }, '{ note { body } }')).toEqual({
    note: { body: 'Hello' },
  });
});
