import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');
const { id: app } = await seed.project('ada/app', {}, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', { reporter: bob, guest: carl });

const folder = await workTree({ 'README.md': '# App\n' });
const base = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'branch', 'topic');
await commit(folder, { 'a.txt': 'a' }, 'A');
await git(folder, 'checkout', '--quiet', 'topic');
await commit(folder, { 'b.txt': 'b' }, 'B');
await git(folder, 'checkout', '--quiet', '--orphan', 'other');
await git(folder, 'commit', '--quiet', '-m', 'Other');
for (const path of ['app', 'closed']) {
  await git(folder, 'push', '--quiet', remote(`ada/${path}`, root), '--all');
}
afterAll(() => rm(folder, { recursive: true }));

describe('GET /projects/:id/repository/merge_base', () => {
  const path = `/projects/${app}/repository/merge_base`;

  test('shows the newest common commit', async () => {
    const response = await as(null).get(`${path}?refs[]=master&refs[]=topic`);
    expect(response).toMatchObject({ status: 200, body: { id: base, title: 'Initial commit' } });
    expect(await as(null).get(`${path}?refs[]=${base}&refs[]=topic`)).toEqual(response);
  });

  test('unrelated histories have none', async () => {
    expect(await as(ada).get(`${path}?refs[]=master&refs[]=other`)).toEqual(
      refused.missing('Merge Base'),
    );
  });

  test.each([
    ['', refused.parameter('refs is missing')],
    ['refs[]=master', refused.invalid({ refs: ['must be two'] })],
    ['refs[]=master&refs[]=topic&refs[]=other', refused.invalid({ refs: ['must be two'] })],
    ['refs[]=master&refs[]=none', { status: 400, body: { message: 'Could not find ref: none' } }],
    [
      'refs[]=--all&refs[]=none',
      { status: 400, body: { message: 'Could not find refs: --all, none' } },
    ],
  ])('%s is rejected', async (query, response) => {
    expect(await as(ada).get(`${path}?${query}`)).toEqual(response);
  });

  test('is for users who can read the code', async () => {
    const hidden = `/projects/${closed}/repository/merge_base?refs[]=master&refs[]=topic`;
    expect((await as(bob).get(hidden)).status).toBe(200);
    expect(await as(carl).get(hidden)).toEqual(refused.forbidden);
    for (const user of [eve, null]) {
      expect(await as(user).get(hidden)).toEqual(refused.missing('Project'));
    }
  });
});
