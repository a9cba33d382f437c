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

const folder = await workTree({ 'README.md': '# App\n' });
const base = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'branch', 'topic/one');
await git(folder, 'tag', 'v1');
const tip = await commit(folder, { 'a.txt': 'a' }, 'A');
await git(folder, 'tag', '-a', '-m', 'Two', 'v2');
for (const path of ['app', 'closed']) {
  await git(folder, 'push', '--quiet', remote(`ada/${path}`, root), '--all');
  await git(folder, 'push', '--quiet', remote(`ada/${path}`, root), '--tags');
}
afterAll(() => rm(folder, { recursive: true }));

const branch = (name: string) => ({ type: 'branch', name });
const tag = (name: string) => ({ type: 'tag', name });

describe('GET /projects/:id/repository/commits/:sha/refs', () => {
  const path = `/projects/${app}/repository/commits`;

  test('lists the branches and tags that contain a commit', async () => {
    expect(await as(null).get(`${path}/${base}/refs`)).toMatchObject({
      status: 200,
      body: [branch('master'), branch('topic/one'), tag('v1'), tag('v2')],
    });
    expect((await as(null).get(`${path}/${tip}/refs?type=all`)).body).toEqual([
      branch('master'),
      tag('v2'),
    ]);
  });

  test('lists references of one kind, in pages', async () => {
    expect((await as(null).get(`${path}/${base}/refs?type=tag`)).body).toEqual([
      tag('v1'),
      tag('v2'),
    ]);
    const query = 'type=branch&per_page=1&page=2';
    const response = await as(null).fetch(`${path}/${base}/refs?${query}`);
    expect(response.headers.get('X-Total')).toBe('2');
    expect(await response.json()).toEqual([branch('topic/one')]);
  });

  test('rejects an unknown commit and an unknown kind', async () => {
    expect(await as(null).get(`${path}/${'1'.repeat(40)}/refs`)).toEqual(refused.missing('Commit'));
    expect(await as(null).get(`${path}/${base}/refs?type=note`)).toEqual(
      refused.parameter('type does not have a valid value'),
    );
  });

  test('is for users who can read the code', async () => {
    const hidden = `/projects/${closed}/repository/commits/${base}/refs`;
    expect((await as(bob).get(hidden)).status).toBe(200);
    expect(await as(carl).get(hidden)).toEqual(refused.forbidden);
    for (const user of [eve, null]) {
      expect(await as(user).get(hidden)).toEqual(refused.missing('Project'));
    }
  });
});
