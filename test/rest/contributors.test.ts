import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');

await seed.group('acme', {}, { visibility: 'public' });
const { id: app } = await seed.project('acme/app', {}, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', { reporter: bob, guest: carl });
const { id: empty } = await seed.project('ada/empty');
await seed.push('ada/closed', { 'secret.txt': 'secret\n' });
const contributors = `/projects/${app}/repository/contributors`;

/** Commits as an author; each commit is a minute later. */
let minute = 0;
async function createCommit(name: string, email: string, message: string, ...args: string[]) {
  minute += 1;
  const date = `2017-10-02T12:${String(minute).padStart(2, '0')}:00Z`;
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--allow-empty', `--message=${message}`, ...args);
  const author = [`--author=${name} <${email}>`, `--date=${date}`];
  await git(folder, 'commit', '--quiet', '--amend', '--allow-empty', '--no-edit', ...author);
}

const lines = 'line\n'.repeat(30);
const folder = await workTree({
  'a.txt': 'one\ntwo\n',
  '.mailmap': 'Ada <ada@new.example> <ada@example.com>\n',
});
await commit(folder, { 'b.txt': lines, 'logo.bin': Buffer.from([0, 1, 2]) }, 'Zoë writes');
await createCommit('Zoe', 'zoe@example.com', 'Zoe writes under an older name');
await rename(join(folder, 'b.txt'), join(folder, 'c.txt'));
await createCommit('Zoë Ünlü', 'zoe@example.com', 'Renamed');
await git(folder, 'checkout', '--quiet', '-b', 'side');
await commit(folder, { 'side.txt': 'x\n' }, 'Side');
await git(folder, 'checkout', '--quiet', 'master');
await commit(folder, { 'a.txt': 'one\n' }, 'One line less');
await git(folder, 'merge', '--quiet', '--no-ff', '--message=Merge', 'side');
await git(folder, 'checkout', '--quiet', '-b', 'other');
await createCommit('Eve', 'eve@example.com', 'On another branch');
await git(folder, 'push', '--quiet', remote('acme/app', root), 'master', 'other');
afterAll(() => rm(folder, { recursive: true }));

const adaCounts = {
  name: 'Ada',
  email: 'ada@example.com',
  commits: 4,
  additions: 34,
  deletions: 1,
};
const zoeCounts = {
  name: 'Zoë Ünlü',
  email: 'zoe@example.com',
  commits: 2,
  additions: 0,
  deletions: 0,
};

describe('GET /projects/:id/repository/contributors', () => {
  test('lists the authors of the default branch with their commits and lines', async () => {
    for (const person of [null, eve, root]) {
      expect(await as(person).get(contributors)).toEqual({
        status: 200,
        body: [adaCounts, zoeCounts],
      });
    }
  });

  test('is paginated', async () => {
    const response = await as(null).fetch(`${contributors}?per_page=1&page=2`);
    expect({ total: response.headers.get('X-Total'), body: await response.json() }).toEqual({
      total: '2',
      body: [zoeCounts],
    });
    expect(await as(null).get(`${contributors}?page=9`)).toEqual({ status: 200, body: [] });
  });

  test('ignores parameters of later versions', async () => {
    const { status } = await as(null).get(`${contributors}?order_by=email&sort=desc`);
    expect(status).toBe(200);
  });

  test('a new commit is counted', async () => {
    const { id } = await seed.project('ada/growing');
    const path = `/projects/${id}/repository/contributors`;
    const work = await workTree({ 'a.txt': 'a\n' });
    const ownCounts = { ...adaCounts, commits: 1, additions: 1, deletions: 0 };
    await git(work, 'push', '--quiet', remote('ada/growing', root), 'master');
    expect((await as(ada).get(path)).body).toEqual([ownCounts]);
    await commit(work, { 'b.txt': 'b\nb\n' }, 'Second');
    await git(work, 'push', '--quiet', remote('ada/growing', root), 'master');
    expect((await as(ada).get(path)).body).toEqual([{ ...ownCounts, commits: 2, additions: 3 }]);
    await rm(work, { recursive: true });
  });

  test('an empty repository gives 404', async () => {
    expect(await as(ada).get(`/projects/${empty}/repository/contributors`)).toEqual({
      status: 404,
      body: { message: '404 Not Found' },
    });
  });

  test('rejects a page that is not a number', async () => {
    expect(await as(null).get(`${contributors}?page=x`)).toEqual(
      refused.parameter('page is invalid'),
    );
  });

  test('a private project requires a reporter', async () => {
    const path = `/projects/${closed}/repository/contributors`;
    expect(await as(bob).get(path)).toEqual({
      status: 200,
      body: [{ ...adaCounts, commits: 1, additions: 1, deletions: 0 }],
    });
    for (const query of ['', '?page=x']) {
      expect(await as(carl).get(path + query)).toEqual(refused.forbidden);
      expect(await as(eve).get(path + query)).toEqual(refused.missing('Project'));
      expect(await as(null).get(path + query)).toEqual(refused.missing('Project'));
    }
  });
});
