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
const activity = (person: typeof ada, on: string) => ({
  username: person.username,
  last_activity_on: on,
  last_activity_at: on,
});
const setLastActivity = (person: typeof ada, on: string) =>
  db.user.update({ where: { id: person.id }, data: { lastActivityOn: new Date(on) } });

await setLastActivity(ada, day(1));
await setLastActivity(bob, day(2));
await setLastActivity(cleo, day(8));

describe('GET /user/activities', () => {
  test('lists users active in the last six months, oldest activity first', async () => {
    expect(await administrator.get('/user/activities')).toEqual({
      status: 200,
      body: [activity(bob, day(2)), activity(ada, day(1))],
    });
  });

  test('`from` sets the first day', async () => {
    expect(await administrator.get(`/user/activities?from=${day(8)}`)).toEqual({
      status: 200,
      body: [activity(cleo, day(8)), activity(bob, day(2)), activity(ada, day(1))],
    });
    expect(await administrator.get(`/user/activities?from=${day(1)}`)).toEqual({
      status: 200,
      body: [activity(ada, day(1))],
    });
    expect(await administrator.get(`/user/activities?from=${day(1)}T10:00:00Z`)).toEqual({
      status: 200,
      body: [activity(ada, day(1))],
    });
  });

  test('is paginated, ordered by id within a day', async () => {
    await setLastActivity(bob, day(1));
    const path = '/user/activities?from=2000-01-01&per_page=2';
    const response = await administrator.fetch(path);
    expect([response.headers.get('X-Total'), await response.json()]).toEqual([
      '3',
      [activity(cleo, day(8)), activity(ada, day(1))],
    ]);
    expect(await administrator.get(`${path}&page=2`)).toEqual({
      status: 200,
      body: [activity(bob, day(1))],
    });
  });

  test('requires an administrator', async () => {
    expect(await as(null).get('/user/activities')).toEqual(refused.anonymous);
    expect(await as(ada).get('/user/activities')).toEqual(refused.forbidden);
  });

  test('rejects an invalid day', async () => {
    expect(await administrator.get('/user/activities?from=yesterday')).toEqual(
      refused.parameter('from is invalid'),
    );
  });
});

describe('activity', () => {
  test('is updated by signing in and shown in the user’s own record', async () => {
    const eve = await seed.user('eve');
    expect((await as(eve).get('/user')).body).toMatchObject({ last_activity_on: null });
    await as(null).post('/session', { login: 'eve', password: eve.password });
    expect((await as(eve).get('/user')).body).toMatchObject({ last_activity_on: day(0) });
  });
});
