import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote } = await world();
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');
await seed.user('ada');
const { id: app } = await seed.project('ada/app', {}, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', { reporter: bob, guest: carl });

const folder = await workTree({
  'a b.txt': 'one\n\ttwo\nthree',
  'empty.txt': '',
  'large.txt': 'line\n'.repeat(210_000),
  'many.txt': '\n'.repeat(200_000),
});
const first = await git(folder, 'rev-parse', 'HEAD');
const second = await commit(folder, { 'a b.txt': 'one\n\tTWO\nthree' }, 'Second');
for (const path of ['app', 'closed']) {
  await git(folder, 'push', '--quiet', remote(`ada/${path}`, root), 'master');
}
afterAll(() => rm(folder, { recursive: true }));

const pathOf = (project: number, file: string) =>
  `/projects/${project}/repository/files/${encodeURIComponent(file)}/blame`;

const initial = {
  id: first,
  parent_ids: [],
  message: 'Initial commit\n',
  author_name: 'Ada',
  author_email: 'ada@example.com',
  authored_date: '2017-10-01T12:00:00.000Z',
  committer_name: 'Ada',
  committer_email: 'ada@example.com',
  committed_date: '2017-10-01T12:00:00.000Z',
};
const changed = { ...initial, id: second, parent_ids: [first], message: 'Second\n' };

describe('GET /projects/:id/repository/files/:file_path/blame', () => {
  const path = pathOf(app, 'a b.txt');

  test('shows the last commit of each line', async () => {
    expect(await as(null).get(`${path}?ref=master`)).toEqual({
      status: 200,
      body: [
        { commit: initial, lines: ['one'] },
        { commit: changed, lines: ['\tTWO'] },
        { commit: initial, lines: ['three'] },
      ],
    });
    expect((await as(null).get(`${path}?ref=${first}`)).body).toEqual([
      { commit: initial, lines: ['one', '\ttwo', 'three'] },
    ]);
    expect((await as(null).get(`${pathOf(app, 'empty.txt')}?ref=master`)).body).toEqual([]);
  });

  test('shows a range of lines', async () => {
    const rangeOf = async (start: number, end: number) =>
      (await as(null).get(`${path}?ref=master&range[start]=${start}&range[end]=${end}`)).body;
    expect(await rangeOf(2, 2)).toEqual([{ commit: changed, lines: ['\tTWO'] }]);
    expect(await rangeOf(3, 99)).toEqual([{ commit: initial, lines: ['three'] }]);
    expect(await rangeOf(4, 99)).toEqual([]);
  });

  test.each([
    ['', refused.parameter('ref is missing')],
    ['ref=none', refused.missing('Commit')],
    ['ref=master&range[start]=1', refused.parameter('range[end] is missing')],
    [
      'ref=master&range[start]=0&range[end]=1',
      refused.parameter('range[start] does not have a valid value'),
    ],
    [
      'ref=master&range[start]=2&range[end]=1',
      refused.invalid({ range: ['must not be after the last line'] }),
    ],
  ])('%s is rejected', async (query, response) => {
    expect(await as(null).get(`${path}?${query}`)).toEqual(response);
  });

  test('a missing file and a folder have none', async () => {
    for (const file of ['none.txt', '../a b.txt', '--help', '/']) {
      expect(await as(null).get(`${pathOf(app, file)}?ref=master`)).toEqual(
        refused.missing('File'),
      );
    }
  });

  test('a large file is rejected, and a file with many lines is shown in parts', async () => {
    const tooLarge = refused.invalid({
      base: ['has too many lines or changes; ask for fewer lines'],
    });
    expect(await as(null).get(`${pathOf(app, 'large.txt')}?ref=master`)).toEqual(tooLarge);
    const many = `${pathOf(app, 'many.txt')}?ref=master`;
    expect(await as(null).get(many)).toEqual(tooLarge);
    expect((await as(null).get(`${many}&range[start]=1&range[end]=2`)).body).toEqual([
      { commit: initial, lines: ['', ''] },
    ]);
  });

  test('is for users who can read the code', async () => {
    const hidden = `${pathOf(closed, 'a b.txt')}?ref=master`;
    expect((await as(bob).get(hidden)).status).toBe(200);
    expect(await as(carl).get(hidden)).toEqual(refused.forbidden);
    for (const user of [eve, null]) {
      expect(await as(user).get(hidden)).toEqual(refused.missing('Project'));
    }
  });
});
