import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { basicUserShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');
const eve = await seed.user('eve');
const otherUser = await seed.user('outsider');

await seed.group('top', { reporter: ada });
await seed.group('top/tools', { developer: bob });
await seed.group('top/tools/below', { master: otherUser });
const friends = await seed.group('friends', { guest: dora });
const circle = await seed.group('friends/circle', { guest: eve });
const { id: app } = await seed.project('top/tools/app', { guest: carl, reporter: bob });
const users = `/projects/${app}/users`;

const shapesOf = (...users: readonly TestUser[]) =>
  users.map((person) => basicUserShape(url, person));

const share = { group_id: circle.id, group_access: 10 };
await as(root).post(`/projects/${app}/share`, share);

describe('GET /projects/:id/users', () => {
  test('lists every user with direct, inherited or shared access once', async () => {
    const allUsers = shapesOf(root, ada, bob, carl, dora, eve);
    for (const person of [root, ada, bob, carl, dora, eve]) {
      expect(await as(person).get(users)).toEqual({ status: 200, body: allUsers });
    }
    expect(await as(carl).get('/projects/TOP%2Ftools%2Fapp/users')).toEqual({
      status: 200,
      body: allUsers,
    });
  });

  test('includes the owner of a personal project', async () => {
    const { id } = await seed.project('dora/own', { guest: carl });
    expect(await as(carl).get(`/projects/${id}/users`)).toEqual({
      status: 200,
      body: shapesOf(carl, dora),
    });
    const owner = { where: { projectId: id, userId: dora.id } };
    await db.member.updateMany({ ...owner, data: { expiresAt: new Date('2017-01-01') } });
    expect((await as(carl).get(`/projects/${id}/users`)).body).toEqual(shapesOf(carl, dora));
  });

  test('is visible to everyone for a public project, 404 to other users for a private project', async () => {
    const { id } = await seed.project('carl/open', {}, { visibility: 'public' });
    for (const person of [null, otherUser]) {
      expect(await as(person).get(`/projects/${id}/users`)).toEqual({
        status: 200,
        body: shapesOf(carl),
      });
      expect(await as(person).get(users)).toEqual(refused.missing('Project'));
    }
    // an anonymous user does not learn whose address one is
    const found = `/projects/${id}/users?search=carl@example.com`;
    expect((await as(otherUser).get(found)).body).toEqual(shapesOf(carl));
    expect((await as(null).get(found)).body).toEqual([]);
  });

  test.each([
    ['search=BO', [bob]],
    ['search=a', [root, ada, carl, dora]],
    ['search=dora@example.com', [dora]],
    ['search=Dora%40Example.Com', [dora]],
    ['search=example', []],
    ['search=%25', []],
    ['search=_', []],
    ['search=', [root, ada, bob, carl, dora, eve]],
  ])('%s matches name, username and the full e-mail address', async (query, matches) => {
    expect(await as(carl).get(`${users}?${query}`)).toEqual({
      status: 200,
      body: shapesOf(...matches),
    });
  });

  test('is paginated', async () => {
    const response = await as(carl).fetch(`${users}?per_page=4&page=2`);
    const { headers } = response;
    expect({
      total: headers.get('X-Total'),
      pages: headers.get('X-Total-Pages'),
      previous: headers.get('X-Prev-Page'),
      next: headers.get('X-Next-Page'),
      body: await response.json(),
    }).toEqual({ total: '6', pages: '2', previous: '1', next: '', body: shapesOf(dora, eve) });
  });

  test('expired memberships and shares are not listed', async () => {
    const { id } = await seed.project('top/tools/past', { guest: carl });
    await as(root).post(`/projects/${id}/share`, { ...share, group_id: friends.id });
    const all = shapesOf(root, ada, bob, carl, dora);
    expect((await as(root).get(`/projects/${id}/users`)).body).toEqual(all);
    const past = { expiresAt: new Date('2017-01-01') };
    await db.member.updateMany({ where: { projectId: id, userId: carl.id }, data: past });
    await db.projectGroupLink.updateMany({ where: { projectId: id }, data: past });
    expect((await as(bob).get(`/projects/${id}/users`)).body).toEqual(shapesOf(root, ada, bob));
  });

  test('rejects invalid parameters', async () => {
    expect(await as(carl).get(`${users}?search[]=a`)).toEqual(
      refused.parameter('search is invalid'),
    );
    expect(await as(carl).get(`${users}?per_page=x`)).toEqual(
      refused.parameter('per_page is invalid'),
    );
    expect(await as(carl).get('/projects/0/users')).toEqual(refused.missing('Project'));
  });
});
