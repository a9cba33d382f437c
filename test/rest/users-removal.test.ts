import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, dataFolder } = await world();
const ada = await seed.user('ada');
const administrator = as(root);
const removed = { status: 204, body: null };
const onlyOwner = refused.conflict(
  'User cannot be removed while they are the only owner of a group',
);

const creationInput = ({ username, email, name, password }: TestUser) => ({
  username,
  email,
  name,
  password,
});

const listRepositories = async () =>
  (await readdir(join(dataFolder, 'repositories'), { recursive: true })).filter((entry) =>
    /[0-9a-f]{32}\.git$/.test(entry),
  );

describe('DELETE /users/:id', () => {
  test('deletes a user and all their data immediately', async () => {
    const bob = await seed.user('bob');
    const group = await seed.group('shared', { owner: ada, developer: bob });
    const own = await seed.project('bob/app', {}, { visibility: 'public' });
    const starred = await seed.project('ada/app', { master: bob }, { visibility: 'public' });
    expect((await as(bob).post(`/projects/${starred.id}/star`)).status).toBe(201);
    await as(bob).post('/user/emails', { email: 'robert@example.com' });
    await administrator.put(`/users/${bob.id}`, { username: 'robert' });
    const project = await as(bob).post('/projects', { path: 'more' });
    expect(project.status).toBe(201);

    expect(await administrator.delete(`/users/${bob.id}`)).toEqual(removed);
    expect(await administrator.get(`/users/${bob.id}`)).toEqual(refused.missing('User'));
    expect(await administrator.delete(`/users/${bob.id}`)).toEqual(refused.missing('User'));
    expect(await as(bob).get('/user')).toEqual(refused.anonymous);
    const login = { login: 'robert', password: bob.password };
    expect(await as(null).post('/session', login)).toEqual(refused.anonymous);
    expect(await as(ada).get(`/projects/${own.id}`)).toEqual(refused.missing('Project'));
    expect((await as(ada).get(`/projects/${starred.id}`)).body).toMatchObject({ star_count: 0 });
    for (const source of [`/groups/${group.id}`, `/projects/${starred.id}`]) {
      const { body } = await administrator.get(`${source}/members`);
      expect((body as TestUser[]).map(({ id }) => id)).not.toContain(bob.id);
    }
    const ofUser = { where: { userId: bob.id } };
    expect([
      await db.accessToken.count(ofUser),
      await db.email.count(ofUser),
      await db.projectStar.count(ofUser),
      await db.namespace.count({ where: { ownerId: bob.id } }),
    ]).toEqual([0, 0, 0, 0]);
    // names and addresses can be reused, including former ones
    const robert = { ...creationInput(bob), username: 'robert', email: 'robert@example.com' };
    expect((await administrator.post('/users', robert)).status).toBe(201);
    expect((await administrator.post('/users', creationInput(bob))).status).toBe(201);
    await expect.poll(() => db.project.count({ where: { id: own.id } })).toBe(0);
    expect(await listRepositories()).toHaveLength(1);
    await administrator.delete(`/projects/${starred.id}`);
  });

  test('requires an administrator, and another user', async () => {
    const path = `/users/${ada.id}`;
    expect(await as(null).delete(path)).toEqual(refused.anonymous);
    expect(await as(ada).delete(path)).toEqual(refused.forbidden);
    expect(await administrator.delete(`/users/${root.id}`)).toEqual(refused.forbidden);
    expect((await administrator.get('/user')).status).toBe(200);
  });

  test('an unknown user gives 404', async () => {
    for (const id of ['999999', '99999999999', '0']) {
      expect(await administrator.delete(`/users/${id}`)).toEqual(refused.missing('User'));
    }
    expect(await administrator.delete('/users/ada')).toEqual(refused.route);
    expect(await administrator.delete(`/users/${ada.id}?hard_delete=perhaps`)).toEqual(
      refused.parameter('hard_delete is invalid'),
    );
  });

  test('If-Unmodified-Since keeps a user who was changed later', async () => {
    const cleo = await seed.user('cleo');
    const remove = (since: string) =>
      administrator.fetch(`/users/${cleo.id}`, {
        method: 'DELETE',
        headers: { 'If-Unmodified-Since': since },
      });
    const response = await remove('Thu, 01 Jan 2015 00:00:00 GMT');
    expect([response.status, await response.json()]).toEqual([
      412,
      { message: '412 Precondition Failed' },
    ]);
    expect((await remove(new Date(Date.now() + 60_000).toUTCString())).status).toBe(204);
  });

  test('the only owner of a group is kept unless hard_delete removes the group', async () => {
    const dora = await seed.user('dora');
    const path = `/users/${dora.id}`;
    const outer = await seed.group('outer', { owner: dora });
    const inner = await seed.group('outer/inner', { owner: dora });
    await administrator.delete(`/groups/${outer.id}/members/${root.id}`);
    await administrator.delete(`/groups/${inner.id}/members/${root.id}`);
    const project = await seed.project('outer/inner/app');
    expect(await administrator.delete(path)).toEqual(onlyOwner);
    expect((await as(dora).get('/user')).status).toBe(200);

    expect(await administrator.delete(`${path}?hard_delete=true`)).toEqual(removed);
    for (const { id } of [outer, inner]) {
      expect(await administrator.get(`/groups/${id}`)).toEqual(refused.missing('Group'));
    }
    expect(await administrator.get(`/projects/${project.id}`)).toEqual(refused.missing('Project'));
    await expect
      .poll(() => db.namespace.count({ where: { id: { in: [outer.id, inner.id] } } }), {
        timeout: 20_000,
      })
      .toBe(0);
  });

  test('an owner of a group with another or an inherited owner is removed', async () => {
    const finn = await seed.user('finn');
    const above = await seed.group('above', { owner: ada });
    await administrator.delete(`/groups/${above.id}/members/${root.id}`);
    const below = await seed.group('above/below', { owner: finn });
    await administrator.delete(`/groups/${below.id}/members/${root.id}`);
    expect(await administrator.delete(`/users/${finn.id}`)).toEqual(removed);
    expect((await as(ada).get(`/groups/${below.id}`)).status).toBe(200);
  });

  test('an expired owner does not count', async () => {
    const [gwen, hank] = [await seed.user('gwen'), await seed.user('hank')];
    const group = await seed.group('expiring', { owner: [gwen, hank] });
    await administrator.delete(`/groups/${group.id}/members/${root.id}`);
    await db.member.updateMany({
      where: { namespaceId: group.id, userId: hank.id },
      data: { expiresAt: new Date('2015-01-01') },
    });
    expect(await administrator.delete(`/users/${gwen.id}`)).toEqual(onlyOwner);
    expect(await administrator.delete(`/users/${hank.id}`)).toEqual(removed);
  });
});

describe('concurrent requests', () => {
  test('one of two owners of a group is removed', async () => {
    const pairs = await Promise.all(
      [1, 2, 3, 4].map(async (n) => {
        const owners = [await seed.user(`left${n}`), await seed.user(`right${n}`)];
        const group = await seed.group(`pair${n}`, { owner: owners });
        await administrator.delete(`/groups/${group.id}/members/${root.id}`);
        return owners;
      }),
    );
    for (const owners of pairs) {
      const responses = await Promise.all(
        owners.map(({ id }) => administrator.delete(`/users/${id}`)),
      );
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    }
  });

  test('one of two administrators who remove each other stays', async () => {
    const [ivy, jack] = await Promise.all(
      ['ivy', 'jack'].map((name) => seed.user(name, { isAdmin: true })),
    );
    if (!ivy || !jack) throw new Error('the users were not created');
    await Promise.all([as(ivy).delete(`/users/${jack.id}`), as(jack).delete(`/users/${ivy.id}`)]);
    expect(await db.user.count({ where: { id: { in: [ivy.id, jack.id] } } })).toBe(1);
  });

  test('a user is removed once', async () => {
    const kim = await seed.user('kim');
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => administrator.delete(`/users/${kim.id}`)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(9).fill(404)]);
  });

  test('projects and stars created during the removal are deleted', async () => {
    const liz = await seed.user('liz');
    const starred = await Promise.all(
      [1, 2, 3].map((n) => seed.project(`ada/star${n}`, {}, { visibility: 'public' })),
    );
    const before = (await listRepositories()).length;
    const creations = Array.from({ length: 6 }, (_, n) =>
      as(liz).post('/projects', { path: `p${n}` }),
    );
    const stars = starred.map(({ id }) => as(liz).post(`/projects/${id}/star`));
    const removal = administrator.delete(`/users/${liz.id}`);
    for (const { status } of await Promise.all([...creations, ...stars])) {
      expect([201, 400, 401, 404]).toContain(status);
    }
    expect(await removal).toEqual(removed);
    await expect.poll(async () => (await listRepositories()).length).toBe(before);
    const counts = await db.project.findMany({
      where: { id: { in: starred.map(({ id }) => id) } },
      select: { starCount: true },
    });
    expect(counts).toEqual(Array(3).fill({ starCount: 0 }));
  });
});
