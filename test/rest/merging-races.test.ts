import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, tryGit, workTree } from '../support/git.ts';
import { world } from '../support/world.ts';

const { as, seed, remote, db, dataFolder } = await world({
  settings: { defaultBranchProtection: 0 },
});
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: app } = await seed.project('ada/app', { developer: bob });

const folder = await workTree({ 'a.txt': 'a\n' });
const start = await git(folder, 'rev-parse', 'HEAD');
afterAll(() => rm(folder, { recursive: true }));
const branch = async (name: string, path: string, from = start) => {
  await git(folder, 'checkout', '--quiet', '-B', name, from);
  return commit(folder, { [path]: `${name}\n` }, `Add ${path}`);
};
const push = (...refs: readonly string[]) =>
  git(folder, 'push', '--quiet', '--force', remote('ada/app', bob), ...refs);
await push('master');

const { diskPath } = await db.project.findUniqueOrThrow({ where: { id: app } });
const repository = join(dataFolder, 'repositories', `${diskPath}.git`);
const tip = (name: string) => git(repository, 'rev-parse', name);
const list = `/projects/${app}/merge_requests`;

interface Offered {
  readonly id: number;
  readonly iid: number;
  readonly sha: string;
  readonly [name: string]: unknown;
}

const createMergeRequest = async (source: string, target: string) => {
  const body = { source_branch: source, target_branch: target, title: `Merge ${source}` };
  const response = await as(bob).post(list, body);
  expect(response.status).toBe(201);
  return response.body as Offered;
};
const show = async (iid: number) => (await as(bob).get(`${list}/${iid}`)).body as Offered;
const stored = (id: number) => db.mergeRequest.findUniqueOrThrow({ where: { id } });
const storedState = async (id: number) => (await stored(id)).state;
const notesOf = async (mergeRequestId: number) => {
  const notes = await db.note.findMany({ where: { mergeRequestId }, orderBy: { id: 'asc' } });
  return notes.map(({ body }) => body);
};
const sortedStatuses = (responses: readonly { status: number }[]) =>
  responses.map(({ status }) => status).toSorted();

describe('concurrent merges', () => {
  test('of the same merge request by two users create one merge', async () => {
    await branch('once', 'once.txt');
    await push('once', `${start}:refs/heads/into-once`);
    const { iid } = await createMergeRequest('once', 'into-once');
    const responses = await Promise.all(
      [ada, bob, ada, bob].map((person) => as(person).put(`${list}/${iid}/merge`)),
    );
    expect(sortedStatuses(responses)).toEqual([200, 405, 405, 405]);
    expect(await git(repository, 'rev-list', '--count', '--merges', 'into-once')).toBe('1');
    expect(await tip('into-once')).toBe((await show(iid)).merge_commit_sha);
  });

  test('into one branch all succeed', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `many-${index}`);
    for (const name of names) await branch(name, `${name}.txt`);
    await push(...names, `${start}:refs/heads/into-many`);
    const mergeRequests: Offered[] = [];
    for (const name of names) mergeRequests.push(await createMergeRequest(name, 'into-many'));
    const writing = as(ada).post(`/projects/${app}/repository/files/beside.txt`, {
      branch: 'into-many',
      content: 'beside',
      commit_message: 'Beside',
    });
    const responses = await Promise.all(
      mergeRequests.map(({ iid }) => as(bob).put(`${list}/${iid}/merge`)),
    );
    expect(sortedStatuses(responses)).toEqual(names.map(() => 200));
    expect((await writing).status).toBe(201);
    expect(await git(repository, 'rev-list', '--count', '--merges', 'into-many')).toBe('6');
    for (const name of [...names, 'beside']) {
      expect((await tryGit(repository, 'cat-file', '-e', `into-many:${name}.txt`)).code).toBe(0);
    }
  });

  test('a merge killed between the branch and the record is finished', async () => {
    await branch('cut', 'cut.txt');
    await push('cut', `${start}:refs/heads/into-cut`);
    const { id, iid, sha } = await createMergeRequest('cut', 'into-cut');
    const merge = await git(
      folder,
      'commit-tree',
      `${sha}^{tree}`,
      '-p',
      start,
      '-p',
      sha,
      '-m',
      'M',
    );
    await db.mergeRequest.update({
      where: { id },
      data: {
        state: 'locked',
        mergeCommitSha: merge,
        mergedById: bob.id,
        shouldRemoveSourceBranch: true,
      },
    });
    await push(`${merge}:refs/heads/into-cut`);
    await expect.poll(() => storedState(id), { timeout: 60_000 }).toBe('merged');
    expect(await show(iid)).toMatchObject({ state: 'merged', merge_commit_sha: merge });
    expect(await stored(id)).toMatchObject({ baseSha: start, mergedById: bob.id });
    expect(await notesOf(id)).toEqual(['merged']);
    const isLeft = async () =>
      (await tryGit(repository, 'rev-parse', '--verify', 'refs/heads/cut')).code === 0;
    await expect.poll(isLeft, { timeout: 60_000 }).toBe(false);
  });

  test('a merge killed before the branch moved can be repeated', async () => {
    await branch('begun', 'begun.txt');
    await push('begun', `${start}:refs/heads/into-begun`);
    const { id, iid } = await createMergeRequest('begun', 'into-begun');
    await db.mergeRequest.update({
      where: { id },
      data: {
        state: 'locked',
        mergeCommitSha: await tip('begun'),
        mergedById: ada.id,
        updatedAt: new Date(Date.now() - 120_000),
      },
    });
    expect((await as(bob).put(`${list}/${iid}/merge`)).status).toBe(200);
    expect(await stored(id)).toMatchObject({ state: 'merged', mergedById: bob.id });
  });
});

describe('moved branches', () => {
  test('a push to the source updates, notes and keeps the head, also after a rewrite', async () => {
    await branch('growing', 'grown.txt');
    await push('growing', `${start}:refs/heads/into-growing`);
    const { id, iid, sha } = await createMergeRequest('growing', 'into-growing');
    const next = await commit(folder, { 'more.txt': 'more\n' }, 'More');
    await push('growing');
    await expect.poll(async () => (await stored(id)).sha, { timeout: 60_000 }).toBe(next);
    expect(await tip(`refs/merge-requests/${iid}/head`)).toBe(next);
    expect(await show(iid)).toMatchObject({ sha: next, merge_status: 'can_be_merged' });
    expect(await notesOf(id)).toEqual([`added 1 commit\n\n* ${next.slice(0, 8)} - More`]);
    await push(`${sha}:refs/heads/growing`);
    await expect.poll(async () => (await stored(id)).sha, { timeout: 60_000 }).toBe(sha);
    expect(await tip(`refs/merge-requests/${iid}/head`)).toBe(sha);
  });

  test('a push to the target updates the merge status', async () => {
    await branch('turning', 'turn.txt');
    await branch('other', 'turn.txt');
    await push('turning', `${start}:refs/heads/into-turning`);
    const { iid } = await createMergeRequest('turning', 'into-turning');
    expect(await show(iid)).toMatchObject({ merge_status: 'can_be_merged' });
    await push('other:refs/heads/into-turning');
    expect(await show(iid)).toMatchObject({ merge_status: 'cannot_be_merged' });
    await push(`${start}:refs/heads/into-turning`);
    expect(await show(iid)).toMatchObject({ merge_status: 'can_be_merged' });
  });

  test('a push of its commits to the target marks it as merged', async () => {
    const head = await branch('pushed', 'pushed.txt');
    await push('pushed', `${start}:refs/heads/into-pushed`);
    const { id, iid } = await createMergeRequest('pushed', 'into-pushed');
    const open = await as(bob).get(`${list}/${iid}/commits`);
    // together with the deletion of its source branch
    await push(`${head}:refs/heads/into-pushed`, ':refs/heads/pushed');
    await expect.poll(() => storedState(id), { timeout: 60_000 }).toBe('merged');
    expect(await show(iid)).toMatchObject({ state: 'merged', merge_commit_sha: null, sha: head });
    expect(await as(bob).get(`${list}/${iid}/commits`)).toEqual(open);
    expect(await stored(id)).toMatchObject({ mergedById: bob.id });
  });

  test('a merge request without changes is not marked as merged by another push', async () => {
    await push(`${start}:refs/heads/empty`, `${start}:refs/heads/into-empty`);
    const { id } = await createMergeRequest('empty', 'into-empty');
    const next = await branch('elsewhere', 'elsewhere.txt');
    await push(`${next}:refs/heads/into-empty`);
    await expect
      .poll(async () => (await stored(id)).checkedAgainst, { timeout: 60_000 })
      .toBe(next);
    expect(await stored(id)).toMatchObject({ state: 'opened', mergeStatus: 'cannot_be_merged' });
  });

  test('deleting the source branch closes it and keeps its commits', async () => {
    const head = await branch('leaving', 'leaving.txt');
    await push('leaving', `${start}:refs/heads/into-leaving`);
    const { id, iid } = await createMergeRequest('leaving', 'into-leaving');
    const open = await as(bob).get(`${list}/${iid}/changes`);
    await push(':refs/heads/leaving');
    await expect.poll(() => storedState(id), { timeout: 60_000 }).toBe('closed');
    expect(await notesOf(id)).toEqual(['deleted source branch `leaving`', 'closed']);
    await git(repository, 'gc', '--quiet', '--prune=now');
    const closed = await as(bob).get(`${list}/${iid}/changes`);
    expect(closed).toMatchObject({
      status: 200,
      body: { sha: head, changes: (open.body as { changes: unknown }).changes },
    });
  });
});

describe('refs/merge-requests', () => {
  test('can be fetched by users who read the code, but not pushed', async () => {
    await branch('seen', 'seen.txt');
    await push('seen', `${start}:refs/heads/into-seen`);
    const { iid, sha } = await createMergeRequest('seen', 'into-seen');
    const ref = `refs/merge-requests/${iid}/head`;
    const url = remote('ada/app', bob);
    expect(await git(folder, 'ls-remote', url, ref)).toBe(`${sha}\t${ref}`);
    const forced = await tryGit(folder, 'push', '--force', url, `${start}:${ref}`);
    expect(forced.stderr).toContain('deny updating a hidden ref');
    const removed = await tryGit(folder, 'push', url, `:${ref}`);
    expect(removed.code).not.toBe(0);
    expect(await tip(ref)).toBe(sha);
    const branches = await as(bob).get(`/projects/${app}/repository/branches?per_page=100`);
    expect(JSON.stringify(branches.body)).not.toContain('merge-requests');
    expect((await as(ada).delete(`${list}/${iid}`)).status).toBe(204);
    expect(await git(folder, 'ls-remote', url, ref)).toBe('');
  });

  test('the ref of a deleted merge request that a kill left is removed by housekeeping', async () => {
    await branch('stays', 'stays.txt');
    await push('stays', `${start}:refs/heads/into-stays`);
    const { iid, sha } = await createMergeRequest('stays', 'into-stays');
    await git(repository, 'update-ref', 'refs/merge-requests/4242/head', start);
    expect((await as(ada).post(`/projects/${app}/housekeeping`)).status).toBe(201);
    const heads = () =>
      git(repository, 'for-each-ref', '--format=%(refname)', 'refs/merge-requests');
    await expect.poll(heads, { timeout: 60_000 }).not.toContain('refs/merge-requests/4242/');
    expect(await tip(`refs/merge-requests/${iid}/head`)).toBe(sha);
  });
});
