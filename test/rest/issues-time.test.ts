import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/client.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const carl = await seed.user('carl');

await seed.group('acme', { owner: ada });
const app = await seed.project('acme/app', { reporter: rita, guest: gus });
const issues = `/projects/${app.id}/issues`;

const createIssue = async (input: Readonly<Record<string, unknown>> = {}, user = rita) => {
  const { body } = await as(user).post(issues, { title: 'x', ...input });
  const { id, iid } = body as { id: number; iid: number };
  return { id, path: `${issues}/${iid}` };
};

const systemNotes = async (issueId: number) =>
  (await db.note.findMany({ where: { issueId }, orderBy: { id: 'asc' } })).map(({ body }) => body);

const stats = (estimate: [number, string | null], spent: [number, string | null]) => ({
  time_estimate: estimate[0],
  total_time_spent: spent[0],
  human_time_estimate: estimate[1],
  human_total_time_spent: spent[1],
});

const none: [number, null] = [0, null];
const badDuration = refused.invalid({ duration: ['is invalid'] });

describe('POST /projects/:id/issues/:issue_iid/time_estimate', () => {
  test('a reporter changes the estimate; a system note follows if it differs', async () => {
    const { id, path } = await createIssue();
    for (const duration of ['3h30m', '3.5h', ' 3h 30m ', '1mo 2w']) {
      const isLong = duration === '1mo 2w';
      expect(await as(rita).post(`${path}/time_estimate`, { duration })).toEqual({
        status: 200,
        body: stats(isLong ? [864_000, '1mo 2w'] : [12_600, '3h 30m'], none),
      });
    }
    expect(await systemNotes(id)).toEqual([
      'changed time estimate to 3h 30m',
      'changed time estimate to 1mo 2w',
    ]);
  });

  test('a day has eight hours, a week five days, and a number counts hours', async () => {
    const { path } = await createIssue();
    const human = async (duration: string) => {
      const { body } = await as(rita).post(`${path}/time_estimate`, { duration });
      return (body as { human_time_estimate: string }).human_time_estimate;
    };
    expect(await human('8h')).toBe('1d');
    expect(await human('5d')).toBe('1w');
    expect(await human('4w')).toBe('1mo');
    expect(await human('2')).toBe('2h');
    expect(await human('90s')).toBe('1m 30s');
    expect(await human('0')).toBe(null);
  });

  test('an empty, negative or too large duration is rejected', async () => {
    const { path } = await createIssue();
    const { post } = as(rita);
    for (const duration of ['', 'soon', '1y', '-1h', '3h30', 'h', '1000000mo', '9'.repeat(500)]) {
      expect(await post(`${path}/time_estimate`, { duration })).toEqual(badDuration);
    }
    expect(await post(`${path}/time_estimate`)).toEqual(refused.parameter('duration is missing'));
  });
});

describe('POST /projects/:id/issues/:issue_iid/reset_time_estimate', () => {
  test('clears the estimate once', async () => {
    const { id, path } = await createIssue();
    await as(rita).post(`${path}/time_estimate`, { duration: '1h' });
    const expected = { status: 200, body: stats(none, none) };
    expect(await as(rita).post(`${path}/reset_time_estimate`)).toEqual(expected);
    expect(await as(rita).post(`${path}/reset_time_estimate`)).toEqual(expected);
    expect(await systemNotes(id)).toEqual(['changed time estimate to 1h', 'removed time estimate']);
  });
});

describe('POST /projects/:id/issues/:issue_iid/add_spent_time', () => {
  test('a reporter adds and subtracts time', async () => {
    const { id, path } = await createIssue();
    const spend = (duration: string) => as(rita).post(`${path}/add_spent_time`, { duration });
    expect(await spend('1d')).toEqual({ status: 201, body: stats(none, [28_800, '1d']) });
    expect(await spend('30m')).toEqual({ status: 201, body: stats(none, [30_600, '1d 30m']) });
    expect(await spend('-1h')).toEqual({ status: 201, body: stats(none, [27_000, '7h 30m']) });
    expect(await systemNotes(id)).toEqual([
      'added 1d of time spent',
      'added 30m of time spent',
      'subtracted 1h of time spent',
    ]);
  });

  test('an empty, negative total and too large duration is rejected', async () => {
    const { id, path } = await createIssue();
    const spend = (duration: string) => as(rita).post(`${path}/add_spent_time`, { duration });
    expect(await spend('-1m')).toEqual(
      refused.invalid({ time_spent: ['Time to subtract exceeds the total time spent'] }),
    );
    expect((await spend('3728mo')).status).toBe(201);
    for (const duration of ['1mo', '0h', 'soon'])
      expect(await spend(duration)).toEqual(badDuration);
    expect(await systemNotes(id)).toEqual(['added 3728mo of time spent']);
  });
});

describe('POST /projects/:id/issues/:issue_iid/reset_spent_time', () => {
  test('clears the time spent once', async () => {
    const { id, path } = await createIssue();
    await as(rita).post(`${path}/add_spent_time`, { duration: '1h' });
    const expected = { status: 200, body: stats(none, none) };
    expect(await as(rita).post(`${path}/reset_spent_time`)).toEqual(expected);
    expect(await as(rita).post(`${path}/reset_spent_time`)).toEqual(expected);
    expect(await systemNotes(id)).toEqual(['added 1h of time spent', 'removed time spent']);
  });
});

describe('GET /projects/:id/issues/:issue_iid/time_stats', () => {
  test('users who see the issue see its times', async () => {
    const { path } = await createIssue();
    await as(rita).post(`${path}/time_estimate`, { duration: '2h' });
    await as(rita).post(`${path}/add_spent_time`, { duration: '1h' });
    const expected = { status: 200, body: stats([7200, '2h'], [3600, '1h']) };
    for (const user of [gus, rita, ada, root]) {
      expect(await as(user).get(`${path}/time_stats`)).toEqual(expected);
    }
    expect(await as(null).get(`${path}/time_stats`)).toEqual(refused.anonymous);
    expect(await as(carl).get(`${path}/time_stats`)).toEqual(refused.missing('Project'));
    const secret = await createIssue({ confidential: true });
    expect(await as(gus).get(`${secret.path}/time_stats`)).toEqual(refused.record);
  });
});

test.each(['time_estimate', 'reset_time_estimate', 'add_spent_time', 'reset_spent_time'])(
  'users below reporter, even the author, get 403 from %s',
  async (verb) => {
    const own = await createIssue({}, gus);
    const secret = await createIssue({ confidential: true });
    const post = (user: typeof ada | null, { path }: { path: string }): Promise<ApiResponse> =>
      as(user).post(`${path}/${verb}`, { duration: '1h' });
    expect(await post(null, own)).toEqual(refused.anonymous);
    expect(await post(gus, own)).toEqual(refused.forbidden);
    expect(await post(gus, secret)).toEqual(refused.record);
    expect(await post(carl, own)).toEqual(refused.missing('Project'));
    expect(await post(root, { path: `${issues}/0` })).toEqual(refused.record);
    expect((await post(root, own)).status).toBeLessThan(300);
  },
);
