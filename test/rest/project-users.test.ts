import { describe, expect, test } from 'vitest';
import type { Person } from '../support/seed.ts';
import { basicUserShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');
const eve = await seed.user('eve');
const stranger = await seed.user('stranger');

await seed.group('top', { reporter: ada });
await seed.group('top/tools', { developer: bob });
await seed.group('top/tools/below', { master: stranger });
const friends = await seed.group('friends', { guest: dora });
const circle = await seed.group('friends/circle', { guest: eve });
const { id: app } = await seed.project('top/tools/app', { guest: carl, reporter: bob });
const users = `/projects/${app}/users`;

const shapesOf = (...people: readonly Person[]) =>
  people.map((person) => basicUserShape(url, person));

const wanted = { group_id: circle.id, group_access: 10 };
await as(root).post(`/projects/${app}/share`, wanted);

describe('GET /projects/:id/users', () => {
  test('everybody with a level in it is there once: own, inherited, by a share', async () => {
    const everybody = shapesOf(root, ada, bob, carl, dora, eve);
    for (const person of [root, ada, bob, carl, dora, eve]) {
      expect(await as(person).get(users)).toEqual({ status: 200, body: everybody });
    }
    expect(await as(carl).get('/projects/TOP%2Ftools%2Fapp/users')).toEqual({
      status: 200,
      body: everybody,
    });
  });

  test('the person of a personal project is there', async () => {
    const { id } = await seed.project('dora/own', { guest: carl });
    expect(await as(carl).get(`/projects/${id}/users`)).toEqual({
      status: 200,
      body: shapesOf(carl, dora),
    });
    const owner = { where: { projectId: id, userId: dora.id } };
    await db.member.updateMany({ ...owner, data: { expiresAt: new Date('2017-01-01') } });
    expect((await as(carl).get(`/projects/${id}/users`)).body).toEqual(shapesOf(carl, dora));
  });

  test('of a public project everybody sees them, of a private one strangers do not', async () => {
    const { id } = await seed.project('carl/open', {}, { visibility: 'public' });
    for (const person of [null, stranger]) {
      expect(await as(person).get(`/projects/${id}/users`)).toEqual({
        status: 200,
        body: shapesOf(carl),
      });
      expect(await as(person).get(users)).toEqual(refused.missing('Project'));
    }
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
  ])('%s finds by name, username and the whole address', async (query, people) => {
    expect(await as(carl).get(`${users}?${query}`)).toEqual({
      status: 200,
      body: shapesOf(...people),
    });
  });

  test('it comes in pages', async () => {
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

  test('who has run out is not there, by whatever way', async () => {
    const { id } = await seed.project('top/tools/past', { guest: carl });
    await as(root).post(`/projects/${id}/share`, { ...wanted, group_id: friends.id });
    const all = shapesOf(root, ada, bob, carl, dora);
    expect((await as(root).get(`/projects/${id}/users`)).body).toEqual(all);
    const past = { expiresAt: new Date('2017-01-01') };
    await db.member.updateMany({ where: { projectId: id, userId: carl.id }, data: past });
    await db.projectGroupLink.updateMany({ where: { projectId: id }, data: past });
    expect((await as(bob).get(`/projects/${id}/users`)).body).toEqual(shapesOf(root, ada, bob));
  });

  test('what is wrong is refused', async () => {
    expect(await as(carl).get(`${users}?search[]=a`)).toEqual(
      refused.parameter('search is invalid'),
    );
    expect(await as(carl).get(`${users}?per_page=x`)).toEqual(
      refused.parameter('per_page is invalid'),
    );
    expect(await as(carl).get('/projects/0/users')).toEqual(refused.missing('Project'));
  });
});
