import { describe, expect, test } from 'vitest';
import { memberShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, db, seed, root, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');
const eve = await seed.user('eve');

const { id: acme } = await seed.group('acme', { owner: ada, reporter: bob, guest: dora });
const { id: tools } = await seed.group('acme/tools', { developer: bob });
const { id: app } = await seed.project('acme/tools/app', { guest: bob, developer: carl });
const { id: open } = await seed.project('eve/open', {}, { visibility: 'public' });

const sources = [
  [
    `/projects/${app}/members`,
    'Project',
    [
      // the group was created by root
      memberShape(url, root, 50),
      memberShape(url, ada, 50),
      memberShape(url, dora, 10),
      memberShape(url, bob, 30),
      memberShape(url, carl, 30),
    ],
  ],
  [
    `/groups/${tools}/members`,
    'Group',
    [
      memberShape(url, root, 50),
      memberShape(url, ada, 50),
      memberShape(url, dora, 10),
      memberShape(url, bob, 30),
    ],
  ],
] as const;

describe.each(sources)('GET %s/all', (path, noun, all) => {
  const sorted = <Item extends { readonly id: number }>(items: unknown) =>
    (items as readonly Item[]).toSorted((a, b) => a.id - b.id);

  test('lists inherited members, each once with the highest level', async () => {
    const { status, body } = await as(dora).get(`${path}/all`);
    expect([status, sorted(body)]).toEqual([200, sorted(all)]);
  });

  test('filters by name and is paginated', async () => {
    expect((await as(bob).get(`${path}/all?query=ADA`)).body).toEqual([memberShape(url, ada, 50)]);
    const pages = await Promise.all(
      all.map((_, n) => as(bob).get(`${path}/all?per_page=1&page=${n + 1}`)),
    );
    expect(sorted(pages.flatMap(({ body }) => body))).toEqual(sorted(all));
    expect(await as(bob).get(`${path}/all?page=x`)).toEqual(refused.parameter('page is invalid'));
  });

  test('shows one member, and 404 for another user', async () => {
    expect(await as(dora).get(`${path}/all/${bob.id}`)).toEqual({
      status: 200,
      body: memberShape(url, bob, 30),
    });
    expect(await as(bob).get(`${path}/all/${eve.id}`)).toEqual(refused.record);
    expect(await as(bob).get(`${path}/all/x`)).toEqual(refused.parameter('user_id is invalid'));
  });

  test('is refused to an anonymous user, and missing for another user', async () => {
    for (const suffix of ['', `/${bob.id}`]) {
      expect(await as(null).get(`${path}/all${suffix}`)).toEqual(refused.anonymous);
      expect(await as(eve).get(`${path}/all${suffix}`)).toEqual(refused.missing(noun));
    }
  });
});

test('the members of a public project are for signed-in users', async () => {
  const path = `/projects/${open}/members/all`;
  expect(await as(null).get(path)).toEqual(refused.anonymous);
  expect(await as(carl).get(path)).toEqual({ status: 200, body: [memberShape(url, eve, 40)] });
});

test('an expired membership does not count', async () => {
  const frank = await seed.user('frank');
  const path = `/projects/${app}/members`;
  await as(ada).post(path, { user_id: frank.id, access_level: 20 });
  const grant = { user_id: frank.id, access_level: 40, expires_at: '2099-01-01' };
  await as(ada).post(`/groups/${acme}/members`, grant);
  expect((await as(ada).get(`${path}/all/${frank.id}`)).body).toEqual({
    ...memberShape(url, frank, 40),
    expires_at: '2099-01-01',
  });
  await db.member.updateMany({
    where: { userId: frank.id, namespaceId: acme },
    data: { expiresAt: new Date('2020-01-01') },
  });
  expect((await as(ada).get(`${path}/all/${frank.id}`)).body).toEqual(memberShape(url, frank, 20));
  await as(ada).delete(`${path}/${frank.id}`);
  expect(await as(ada).get(`${path}/all/${frank.id}`)).toEqual(refused.record);
});
