import { describe, expect, test } from 'vitest';
import { commitWorld } from '../support/commit-actions.ts';
import { commit, git, tryGit } from '../support/git.ts';
import { instant, refused } from '../support/shapes.ts';

const { as, seed, db, ada, bob, carl, app, folder, start, repository, pathFor, merge, push } =
  await commitWorld('cherry_pick');

const created = await commit(folder, { 'new/x.txt': 'x\n' }, 'Add x\n\nFor a reason.\n');
const top = await commit(folder, { 'b.txt': 'one\n2\n3\n4\n5\n6\n7\n8\n' }, 'Top');
const again = await commit(folder, { 'a.txt': 'A\n' }, 'Change a');
await git(folder, 'branch', 'stable', start);
await git(folder, 'checkout', '--quiet', '-b', 'other', start);
await commit(folder, { 'b.txt': '1\n2\n3\n4\n5\n6\n7\neight\n', 'a.txt': 'other\n' }, 'Bottom');
const merged = await merge(created);
await git(folder, 'checkout', '--quiet', '--orphan', 'alone');
await git(folder, 'rm', '--quiet', '-rf', '.');
const alone = await commit(folder, { 'alone.txt': 'alone\n' }, 'Alone');
const latin = await git(
  folder,
  '-c',
  'i18n.commitEncoding=ISO-8859-1',
  'commit-tree',
  '-p',
  alone,
  '-m',
  'caf\xe9',
  `${created}^{tree}`,
);
await git(folder, 'branch', 'latin', latin);
await push();

const notApplicable = {
  status: 400,
  body: {
    message:
      'Sorry, we cannot cherry-pick this commit automatically. It may have already been ' +
      'cherry-picked, or a more recent commit may have updated some of its content.',
  },
};

describe('POST /projects/:id/repository/commits/:sha/cherry_pick', () => {
  test('applies a commit to a branch with the original author and the caller as the committer', async () => {
    const { status, body } = await as(bob).post(pathFor(created), { branch: 'stable' });
    const id = await git(repository, 'rev-parse', 'stable');
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id,
        short_id: id.slice(0, 8),
        title: 'Add x',
        created_at: instant,
        parent_ids: [start],
        message: 'Add x\n\nFor a reason.\n',
        author_name: 'Ada',
        author_email: 'ada@example.com',
        authored_date: '2017-10-01T12:00:00.000Z',
        committer_name: 'Bob',
        committer_email: 'bob@example.com',
        committed_date: instant,
        stats: { additions: 1, deletions: 0, total: 1 },
        status: null,
        last_pipeline: null,
      },
    });
    expect(await git(repository, 'diff', '--name-status', start, 'stable')).toBe('A\tnew/x.txt');
  });

  test('merges changes into another state of a file, and accepts a ref', async () => {
    expect((await as(bob).post(pathFor(top), { branch: 'other' })).status).toBe(201);
    expect(await git(repository, 'show', 'other:b.txt')).toBe('one\n2\n3\n4\n5\n6\n7\neight');
    expect((await as(bob).post(pathFor('alone'), { branch: 'other' })).status).toBe(201);
    expect(await git(repository, 'show', 'other:alone.txt')).toBe('alone');
  });

  test('a merge is applied as a diff to its first parent', async () => {
    await git(repository, 'branch', 'fresh', start);
    expect((await as(bob).post(pathFor(merged), { branch: 'fresh' })).status).toBe(201);
    expect(await git(repository, 'log', '-1', '--format=%s %P', 'fresh')).toBe(`Merge ${start}`);
    expect(await git(repository, 'show', 'fresh:new/x.txt')).toBe('x');
  });

  test('preserves the bytes of a message', async () => {
    await git(repository, 'branch', 'bytes', alone);
    expect((await as(bob).post(pathFor(latin), { branch: 'bytes' })).status).toBe(201);
    const messageOf = async (id: string) =>
      (await git(repository, 'cat-file', 'commit', id)).split('\n').slice(4);
    expect(await messageOf('bytes')).toEqual(await messageOf(latin));
  });

  test('a conflict and a change that is already there are rejected', async () => {
    const before = await git(repository, 'rev-parse', 'other');
    for (const sha of [again, top]) {
      expect(await as(bob).post(pathFor(sha), { branch: 'other' })).toEqual(notApplicable);
    }
    expect(await git(repository, 'rev-parse', 'other')).toBe(before);
  });

  test.each([
    ['1'.repeat(40), 'stable', 'Commit'],
    ['nothing', 'stable', 'Commit'],
    ['--all', 'stable', 'Commit'],
    [created, 'nothing', 'Branch'],
    [created, 'a..b', 'Branch'],
  ])('%s onto %s gives 404 for the %s', async (sha, branch, resource) => {
    expect(await as(bob).post(pathFor(encodeURIComponent(sha)), { branch })).toEqual(
      refused.missing(resource),
    );
  });

  test('the branch is required', async () => {
    expect(await as(bob).post(pathFor(created), {})).toEqual(
      refused.parameter('branch is missing'),
    );
  });

  test('requires permission to push', async () => {
    const eve = await seed.user('eve');
    const body = { branch: 'stable' };
    expect(await as(null).post(pathFor(created), body)).toEqual(refused.anonymous);
    expect(await as(eve).post(pathFor(created), {})).toEqual(refused.missing('Project'));
    expect(await as(carl).post(pathFor(created), {})).toEqual(refused.forbidden);
    await db.protectedBranch.create({
      data: { projectId: app, name: 'fresh', pushAccessLevel: 40, mergeAccessLevel: 40 },
    });
    expect(await as(bob).post(pathFor(top), { branch: 'fresh' })).toEqual({
      status: 400,
      body: { message: 'You are not allowed to push into this branch' },
    });
    expect((await as(ada).post(pathFor(top), { branch: 'fresh' })).status).toBe(201);
  });

  test('git fsck reports no errors', async () => {
    const { code } = await tryGit(repository, 'fsck', '--strict');
    expect(code).toBe(0);
  });
});
