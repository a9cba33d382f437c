import { describe, expect, test } from 'vitest';
import { commitWorld } from '../support/commit-actions.ts';
import { commit, git, tryGit } from '../support/git.ts';
import { refused } from '../support/shapes.ts';

const { as, seed, db, ada, bob, carl, app, folder, start, repository, pathFor, merge, push } =
  await commitWorld('revert');

const top = await commit(
  folder,
  { 'b.txt': 'one\n2\n3\n4\n5\n6\n7\n8\n' },
  'Top\n\nFor a reason.\n',
);
const bottom = await commit(folder, { 'b.txt': 'one\n2\n3\n4\n5\n6\n7\neight\n' }, 'Bottom');
const again = await commit(folder, { 'b.txt': 'one\n2\n3\n4\n5\n6\n7\nacht\n' }, 'Again');
const merged = await merge(top);
await push();

const notApplicable = {
  status: 400,
  body: {
    message:
      'Sorry, we cannot revert this commit automatically. This commit may already have been ' +
      'reverted, or a more recent commit may have updated some of its content.',
  },
};

describe('POST /projects/:id/repository/commits/:sha/revert', () => {
  test('a dry run changes nothing', async () => {
    const body = { branch: 'master', dry_run: true };
    expect(await as(bob).post(pathFor(top), body)).toEqual({
      status: 200,
      body: { dry_run: 'success' },
    });
    expect(await as(bob).post(pathFor(bottom), body)).toEqual(notApplicable);
    expect(await git(repository, 'rev-parse', 'master')).toBe(again);
  });

  test('undoes a commit in a new commit of the caller', async () => {
    const { status, body } = await as(bob).post(pathFor(top), { branch: 'master' });
    const id = await git(repository, 'rev-parse', 'master');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id,
      title: 'Revert "Top"',
      message: `Revert "Top"\n\nThis reverts commit ${top}`,
      parent_ids: [again],
      author_name: 'Bob',
      author_email: 'bob@example.com',
      committer_name: 'Bob',
      stats: { additions: 1, deletions: 1, total: 2 },
    });
    expect(await git(repository, 'show', 'master:b.txt')).toBe('1\n2\n3\n4\n5\n6\n7\nacht');
    const events = await as(bob).get(`/projects/${app}/events?action=pushed`);
    expect(events.body).toContainEqual(
      expect.objectContaining({
        author_username: 'bob',
        push_data: expect.objectContaining({ commit_to: id, ref: 'master' }),
      }),
    );
  });

  test('a conflict and a change that is already undone are rejected', async () => {
    const before = await git(repository, 'rev-parse', 'master');
    for (const sha of [top, bottom]) {
      expect(await as(bob).post(pathFor(sha), { branch: 'master' })).toEqual(notApplicable);
    }
    expect(await git(repository, 'rev-parse', 'master')).toBe(before);
  });

  test('a merge is undone as a diff to its first parent, and the first commit as a whole', async () => {
    expect((await as(bob).post(pathFor(merged), { branch: 'merging' })).status).toBe(201);
    expect(await git(repository, 'rev-parse', 'merging^{tree}')).toBe(
      await git(repository, 'rev-parse', `${start}^{tree}`),
    );
    expect((await as(bob).post(pathFor(start), { branch: 'merging' })).status).toBe(201);
    expect(await git(repository, 'ls-tree', '-r', 'merging')).toBe('');
  });

  test.each([
    ['1'.repeat(40), 'master', 'Commit'],
    ['--all', 'master', 'Commit'],
    [top, 'nothing', 'Branch'],
    [top, 'a..b', 'Branch'],
  ])('%s on %s gives 404 for the %s', async (sha, branch, resource) => {
    expect(await as(bob).post(pathFor(encodeURIComponent(sha)), { branch })).toEqual(
      refused.missing(resource),
    );
  });

  test('requires permission to push', async () => {
    const eve = await seed.user('eve');
    const body = { branch: 'master' };
    expect(await as(bob).post(pathFor(top), {})).toEqual(refused.parameter('branch is missing'));
    expect(await as(null).post(pathFor(top), body)).toEqual(refused.anonymous);
    expect(await as(eve).post(pathFor(top), body)).toEqual(refused.missing('Project'));
    expect(await as(carl).post(pathFor(top), body)).toEqual(refused.forbidden);
    await db.protectedBranch.create({
      data: { projectId: app, name: 'master', pushAccessLevel: 40, mergeAccessLevel: 40 },
    });
    for (const dry_run of [false, true]) {
      expect(await as(bob).post(pathFor(again), { ...body, dry_run })).toEqual({
        status: 400,
        body: { message: 'You are not allowed to push into this branch' },
      });
    }
    const dryRun = { ...body, dry_run: true };
    expect((await as(ada).post(pathFor(again), dryRun)).status).toBe(200);
    expect((await as(ada).post(pathFor(again), body)).status).toBe(201);
  });

  test('git fsck reports no errors', async () => {
    const { code } = await tryGit(repository, 'fsck', '--strict');
    expect(code).toBe(0);
  });
});
