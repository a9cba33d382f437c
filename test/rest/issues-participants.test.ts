import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/client.ts';
import { basicUserShape, fullIssueShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const carl = await seed.user('carl');

await seed.group('acme', { owner: ada });
await seed.group('acme/tools', {});
const app = await seed.project('acme/tools/app', { reporter: rita, guest: gus });
const issues = `/projects/${app.id}/issues`;

const bodyOf = ({ body }: ApiResponse) => body as { id: number; iid: number };

const createIssue = async (input: Readonly<Record<string, unknown>> = {}, user = rita) => {
  const { id, iid } = bodyOf(await as(user).post(issues, { title: 'x', ...input }));
  return { id, iid, path: `${issues}/${iid}` };
};

const userShape = (user: typeof ada) => basicUserShape(url, user);

describe('assignable users', () => {
  test('are all users who see the project, through any membership', async () => {
    const shared = await seed.user('shared');
    const above = await seed.user('above');
    const addedLater = await seed.user('late');
    const deletedUser = await seed.user('deleted');
    const friends = await seed.group('friends');
    const inner = await seed.group('friends/inner', { developer: shared });
    const former = await seed.group('former', { developer: deletedUser });
    await as(root).post(`/groups/${friends.id}/members`, { user_id: above.id, access_level: 10 });
    for (const { id } of [inner, former]) {
      await as(root).post(`/projects/${app.id}/share`, { group_id: id, group_access: 10 });
    }
    await as(root).post(`/projects/${app.id}/members`, {
      user_id: addedLater.id,
      access_level: 10,
    });
    await db.member.updateMany({
      where: { userId: addedLater.id },
      data: { expiresAt: new Date('2020-01-01') },
    });
    await as(root).delete(`/groups/${former.id}`);
    const allUsers = [ada, rita, gus, carl, root, shared, above, addedLater, deletedUser];
    const { body } = await as(rita).post(issues, {
      title: 'x',
      assignee_ids: allUsers.map(({ id }) => id),
    });
    const names = (body as { assignees: { username: string }[] }).assignees.map(
      ({ username }) => username,
    );
    const seen = [];
    for (const user of allUsers) {
      if ((await as(user).get(`/projects/${app.id}`)).status === 200) seen.push(user.username);
    }
    expect(names.toSorted()).toEqual(seen.toSorted());
    expect(names.toSorted()).toEqual(['above', 'ada', 'gus', 'rita', 'root', 'shared']);
  });

  test('of a personal project include its owner', async () => {
    const { id } = await seed.project('carl/own');
    expect(
      await as(carl).post(`/projects/${id}/issues`, {
        title: 'x',
        assignee_ids: [carl.id, ada.id],
      }),
    ).toMatchObject({ status: 201, body: { assignees: [userShape(carl)] } });
  });
});

describe.each([
  ['subscribe', true],
  ['unsubscribe', false],
] as const)('POST /projects/:id/issues/:issue_iid/%s', (verb, isSubscribed) => {
  test('stores the choice; repeating it responds with 304', async () => {
    const { id, iid, path } = await createIssue();
    // the author is subscribed by default, a guest is not
    const [user, isUsual] = isSubscribed ? [gus, rita] : [rita, gus];
    const traits = { id, iid, projectId: app.id, fullPath: 'acme/tools/app', title: 'x' };
    expect(await as(isUsual).post(`${path}/${verb}`)).toEqual({ status: 304, body: null });
    expect(await as(user).post(`${path}/${verb}`)).toEqual({
      status: 201,
      body: fullIssueShape(url, { ...traits, author: rita }, isSubscribed),
    });
    expect(await as(user).post(`${path}/${verb}`)).toEqual({ status: 304, body: null });
    expect(await as(user).get(path)).toMatchObject({ body: { subscribed: isSubscribed } });
    const back = isSubscribed ? 'unsubscribe' : 'subscribe';
    expect(await as(user).post(`${path}/${back}`)).toMatchObject({
      body: { subscribed: !isSubscribed },
    });
    expect((await as(user).post(`${path}/${verb}`)).status).toBe(201);
  });

  test('responds with 404 if the user cannot see the issue', async () => {
    const { path } = await createIssue({ confidential: true });
    expect(await as(null).post(`${path}/${verb}`)).toEqual(refused.anonymous);
    expect(await as(carl).post(`${path}/${verb}`)).toEqual(refused.missing('Project'));
    expect(await as(gus).post(`${path}/${verb}`)).toEqual(refused.record);
    expect(await as(gus).post(`${issues}/none/${verb}`)).toEqual(
      refused.parameter('issue_iid is invalid'),
    );
  });
});

describe('GET /projects/:id/issues/:issue_iid/participants', () => {
  test('lists the author, the assignees and the authors of notes once each', async () => {
    const { id, path } = await createIssue({ assignee_ids: [gus.id, rita.id] });
    await db.note.createMany({
      data: [
        { issueId: id, authorId: ada.id, body: 'one' },
        { issueId: id, authorId: ada.id, body: 'two' },
        { issueId: id, authorId: gus.id, body: 'three' },
        { issueId: id, authorId: null, body: 'four' },
        { issueId: id, authorId: root.id, body: 'closed', isSystem: true },
      ],
    });
    const all = [userShape(ada), userShape(rita), userShape(gus)];
    for (const user of [gus, rita, ada, root]) {
      expect(await as(user).get(`${path}/participants`)).toEqual({ status: 200, body: all });
    }
    const response = await as(gus).fetch(`${path}/participants?per_page=2&page=2`);
    expect(await response.json()).toEqual([userShape(gus)]);
    expect(response.headers.get('X-Total')).toBe('3');
    expect(response.headers.get('X-Next-Page')).toBe('');
  });

  test('responds with 404 if the user cannot see the issue', async () => {
    const { path } = await createIssue({ confidential: true });
    expect(await as(null).get(`${path}/participants`)).toEqual(refused.anonymous);
    expect(await as(carl).get(`${path}/participants`)).toEqual(refused.missing('Project'));
    expect(await as(gus).get(`${path}/participants`)).toEqual(refused.record);
  });
});

describe('GET /projects/:id/issues/:issue_iid/closed_by', () => {
  test('is empty without merge requests', async () => {
    const { path } = await createIssue();
    const response = await as(gus).fetch(`${path}/closed_by`);
    expect([response.status, await response.json()]).toEqual([200, []]);
    expect(response.headers.get('X-Total')).toBe('0');
    expect(response.headers.get('X-Total-Pages')).toBe('1');
  });

  test('responds with 404 if the user cannot see the issue', async () => {
    const { path } = await createIssue({ confidential: true });
    expect(await as(null).get(`${path}/closed_by`)).toEqual(refused.anonymous);
    expect(await as(carl).get(`${path}/closed_by`)).toEqual(refused.missing('Project'));
    expect(await as(gus).get(`${path}/closed_by`)).toEqual(refused.record);
  });
});

describe('PUT /projects/:id/issues/:issue_iid', () => {
  test('null clears fields, alone or together with others', async () => {
    const { path } = await createIssue({ description: 'x', labels: 'a', assignee_ids: [ada.id] });
    for (const name of ['description', 'labels', 'assignee_ids']) {
      expect((await as(rita).put(path, { [name]: null })).status).toBe(200);
    }
    const body = { description: null, labels: [], assignees: [] };
    expect(await as(rita).get(path)).toMatchObject({ status: 200, body });
  });

  test('an emoji counts as one character of a title', async () => {
    const { path } = await createIssue();
    expect((await as(rita).put(path, { title: '🚀'.repeat(255) })).status).toBe(200);
    expect(await as(rita).put(path, { title: '🚀'.repeat(256) })).toEqual(
      refused.invalid({ title: ['is too long (maximum is 255 characters)'] }),
    );
  });
});
