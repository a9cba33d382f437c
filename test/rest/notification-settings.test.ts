import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const gus = await seed.user('gus');
const { id: group } = await seed.group('tools', { owner: ada }, { visibility: 'private' });
const { id: app } = await seed.project('tools/app', { guest: gus });
const { id: open } = await seed.project('ada/open', {}, { visibility: 'internal' });

const names = [
  ...['new_note', 'new_issue', 'reopen_issue', 'close_issue', 'reassign_issue', 'issue_due'],
  ...['new_merge_request', 'push_to_merge_request', 'reopen_merge_request'],
  ...['close_merge_request', 'reassign_merge_request', 'merge_merge_request'],
  ...['merge_when_pipeline_succeeds', 'failed_pipeline', 'fixed_pipeline', 'success_pipeline'],
  'moved_project',
];

const events = (...chosen: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, chosen.includes(name)]));

const global = '/notification_settings';
const emailOf = async ({ id }: TestUser) =>
  (await db.user.findUniqueOrThrow({ where: { id } })).email;

describe('GET /notification_settings', () => {
  test('shows the level and the address of the caller', async () => {
    expect(await as(bob).get(global)).toEqual({
      status: 200,
      body: { level: 'participating', notification_email: await emailOf(bob) },
    });
    expect(await as(null).get(global)).toEqual(refused.anonymous);
  });
});

describe('PUT /notification_settings', () => {
  test('changes the level and the events, of the caller only', async () => {
    const notification_email = await emailOf(ada);
    expect(await as(ada).put(global, { level: 'watch' })).toEqual({
      status: 200,
      body: { level: 'watch', notification_email },
    });
    const change = { level: 'custom', new_issue: true, failed_pipeline: true };
    const chosen = events('new_issue', 'failed_pipeline');
    const body = { level: 'custom', events: chosen, notification_email };
    expect(await as(ada).put(global, change)).toEqual({ status: 200, body });
    expect(await as(ada).put(global, { new_issue: false })).toEqual({
      status: 200,
      body: { ...body, events: events('failed_pipeline') },
    });
    expect(await as(ada).put(global, {})).toEqual(await as(ada).get(global));
    expect((await as(root).get(global)).body).toMatchObject({ level: 'participating' });
  });

  test('concurrent changes of other events keep each other', async () => {
    await as(gus).put(global, { level: 'custom' });
    await Promise.all(names.map((name) => as(gus).put(global, { [name]: true })));
    expect((await as(gus).get(global)).body).toMatchObject({ events: events(...names) });
  });

  test('takes an address of the caller, until it is deleted', async () => {
    const address = 'Ada@Further.example';
    const { body } = await as(ada).post('/user/emails', { email: address });
    const { id } = body as { id: number };
    const shown = async () =>
      ((await as(ada).get(global)).body as { notification_email: string }).notification_email;
    expect((await as(ada).put(global, { notification_email: 'ada@further.EXAMPLE' })).status).toBe(
      200,
    );
    expect(await shown()).toBe(address);
    await as(ada).put(global, { level: 'mention' });
    expect(await shown()).toBe(address);
    await as(ada).delete(`/user/emails/${id}`);
    expect(await shown()).toBe(await emailOf(ada));
  });

  test('rejects addresses of other users and invalid values', async () => {
    const notOwn = {
      status: 400,
      body: { message: { notification_email: ['is not an email you own'] } },
    };
    for (const notification_email of [await emailOf(bob), 'none@example.com', '%', 'x\u0000']) {
      const response = await as(ada).put(global, { notification_email });
      expect(response.status).toBe(400);
      if (!notification_email.includes('\u0000')) expect(response).toEqual(notOwn);
    }
    expect(await as(ada).put(global, { level: 'loud' })).toEqual(
      refused.parameter('level does not have a valid value'),
    );
    expect(await as(ada).put(global, { new_note: 'perhaps' })).toEqual(
      refused.parameter('new_note is invalid'),
    );
    expect(await as(null).put(global, { level: 'watch' })).toEqual(refused.anonymous);
  });
});

describe.each([
  ['/groups/:id/notification_settings', `/groups/${group}/notification_settings`, 'Group'],
  ['/projects/:id/notification_settings', `/projects/${app}/notification_settings`, 'Project'],
])('GET and PUT %s', (_path, path, kind) => {
  test('shows and changes what the caller chose there', async () => {
    expect(await as(ada).get(path)).toEqual({ status: 200, body: { level: 'global' } });
    const body = { level: 'custom', events: events('new_note', 'merge_merge_request') };
    const change = { level: 'custom', new_note: true, merge_merge_request: 'true' };
    expect(await as(ada).put(path, change)).toEqual({ status: 200, body });
    expect(await as(ada).get(path)).toEqual({ status: 200, body });
    expect(await as(gus).get(path)).toEqual({ status: 200, body: { level: 'global' } });
    expect(await as(root).put(path, { level: 'disabled' })).toEqual({
      status: 200,
      body: { level: 'disabled' },
    });
    expect(await as(ada).put(path, { level: 'watch' })).toEqual({
      status: 200,
      body: { level: 'watch' },
    });
    expect(await as(ada).put(path, { level: 'custom' })).toEqual({ status: 200, body });
  });

  test('responds with 404 to users who do not see it', async () => {
    for (const send of [
      (person: TestUser | null) => as(person).get(path),
      (person: TestUser | null) => as(person).put(path, { level: 'watch' }),
    ]) {
      expect(await send(null)).toEqual(refused.anonymous);
      expect(await send(bob)).toEqual(refused.missing(kind));
    }
    expect(await as(ada).put(path, { level: 'loud' })).toEqual(
      refused.parameter('level does not have a valid value'),
    );
  });
});

test('a user who sees a project without being a member has settings there', async () => {
  const path = `/projects/${open}/notification_settings`;
  const body = { level: 'watch' };
  expect(await as(bob).put(path, body)).toEqual({ status: 200, body });
  expect(await as(bob).get('/projects/ada%2Fopen/notification_settings')).toEqual({
    status: 200,
    body,
  });
});
