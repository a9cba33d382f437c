import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo');
await seed.user('dora');
const administrator = as(root);

const day = (monthsAgo: number) => {
  const date = new Date();
  date.setUTCMonth(date.getUTCMonth() - monthsAgo);
  return date.toISOString().slice(0, 10);
};
const seen = (person: typeof ada, on: string) => ({
  username: person.username,
  last_activity_on: on,
  last_activity_at: on,
});
const set = (person: typeof ada, on: string) =>
  db.user.update({ where: { id: person.id }, data: { lastActivityOn: new Date(on) } });

await set(ada, day(1));
await set(bob, day(2));
await set(cleo, day(8));

describe('GET /user/activities', () => {
  test('an administrator sees who was active in the last six months, those longest ago first', async () => {
    expect(await administrator.get('/user/activities')).toEqual({
      status: 200,
      body: [seen(bob, day(2)), seen(ada, day(1))],
    });
  });

  test('a day to begin with may be named', async () => {
    expect(await administrator.get(`/user/activities?from=${day(8)}`)).toEqual({
      status: 200,
      body: [seen(cleo, day(8)), seen(bob, day(2)), seen(ada, day(1))],
    });
    expect(await administrator.get(`/user/activities?from=${day(1)}`)).toEqual({
      status: 200,
      body: [seen(ada, day(1))],
    });
    expect(await administrator.get(`/user/activities?from=${day(1)}T10:00:00Z`)).toEqual({
      status: 200,
      body: [seen(ada, day(1))],
    });
  });

  test('comes in pages, on one day in the order of ids', async () => {
    await set(bob, day(1));
    const path = '/user/activities?from=2000-01-01&per_page=2';
    const answer = await administrator.fetch(path);
    expect([answer.headers.get('X-Total'), await answer.json()]).toEqual([
      '3',
      [seen(cleo, day(8)), seen(ada, day(1))],
    ]);
    expect(await administrator.get(`${path}&page=2`)).toEqual({
      status: 200,
      body: [seen(bob, day(1))],
    });
  });

  test('is for administrators', async () => {
    expect(await as(null).get('/user/activities')).toEqual(refused.anonymous);
    expect(await as(ada).get('/user/activities')).toEqual(refused.forbidden);
  });

  test('a day is a day', async () => {
    expect(await administrator.get('/user/activities?from=yesterday')).toEqual(
      refused.parameter('from is invalid'),
    );
  });
});

describe('activity', () => {
  test('is signing in, and is told in the own record', async () => {
    const eve = await seed.user('eve');
    expect((await as(eve).get('/user')).body).toMatchObject({ last_activity_on: null });
    await as(null).post('/session', { login: 'eve', password: eve.password });
    expect((await as(eve).get('/user')).body).toMatchObject({ last_activity_on: day(0) });
  });
});
