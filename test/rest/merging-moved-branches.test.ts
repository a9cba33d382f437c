import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db, dataFolder } = await world({
  settings: { defaultBranchProtection: 0 },
});
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: app } = await seed.project('ada/app', { developer: bob }, { visibility: 'public' });
const list = `/projects/${app}/merge_requests`;

const folder = await workTree({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
const start = await git(folder, 'rev-parse', 'HEAD');
afterAll(() => rm(folder, { recursive: true }));
const branch = async (name: string, files: Readonly<Record<string, string>>, from = start) => {
  await git(folder, 'checkout', '--quiet', '-B', name, from);
  return commit(folder, files, `Change ${name}`);
};
const first = await branch('first', { 'a.txt': 'first\n' });
const second = await branch('second', { 'c.txt': 'c\n' }, first);
const clash = await branch('clash', { 'a.txt': 'clash\n' });
await git(folder, 'push', '--quiet', remote('ada/app', root), '--all');

const repositoryOf = async (id: number) => {
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return join(dataFolder, 'repositories', `${diskPath}.git`);
};
const repository = await repositoryOf(app);
/** Moves a branch directly on disk: without a push, so no job follows. */
const move = (name: string, to: string, where = repository) =>
  git(where, 'branch', '--force', name, to);

interface Offered {
  readonly id: number;
  readonly iid: number;
}

/** Creates a merge request of two new branches, and waits for the job after it. */
const createMergeRequest = async (name: string, project = app) => {
  await move(`into-${name}`, start);
  if (project === app) await move(name, first);
  const response = await as(bob).post(`/projects/${project}/merge_requests`, {
    source_branch: name,
    target_branch: `into-${name}`,
    target_project_id: app,
    title: name,
  });
  expect(response.status).toBe(201);
  const { id, iid } = response.body as Offered;
  const jobs = () => db.$queryRaw<{ state: string }[]>`
    SELECT state::text FROM pgboss.job WHERE name = 'follow-push' AND state < 'completed'`;
  await expect.poll(jobs, { timeout: 60_000 }).toEqual([]);
  return { id, path: `${list}/${iid}` };
};

describe('GET a merge request right after its branches have moved', () => {
  test('shows the current commit, commits, changes and merge status', async () => {
    const { id, path } = await createMergeRequest('ahead');
    const before = await db.mergeRequest.findUniqueOrThrow({ where: { id } });
    await move('ahead', second);
    expect((await as(null).get(path)).body).toMatchObject({
      sha: second,
      merge_status: 'can_be_merged',
      state: 'opened',
    });
    expect((await as(null).get(`${path}/commits`)).body).toMatchObject([
      { id: second },
      { id: first },
    ]);
    expect((await as(null).get(`${path}/changes`)).body).toMatchObject({
      sha: second,
      changes: [{ new_path: 'a.txt' }, { new_path: 'c.txt' }],
    });
    await move('ahead', start);
    expect((await as(null).get(path)).body).toMatchObject({
      sha: start,
      merge_status: 'cannot_be_merged',
    });
    expect((await as(null).get(`${path}/commits`)).body).toEqual([]);
    // a read does not change the record: the push's job does that, in the name of the user who
    // pushed
    expect(await db.mergeRequest.findUniqueOrThrow({ where: { id } })).toEqual(before);
    expect(await db.note.count({ where: { mergeRequestId: id } })).toBe(0);
  });

  test('shows a new conflict of either branch, and its resolution, immediately', async () => {
    const { path } = await createMergeRequest('torn');
    const status = async () =>
      ((await as(bob).get(path)).body as { merge_status: string }).merge_status;
    expect(await status()).toBe('can_be_merged');
    await move('into-torn', clash);
    expect(await status()).toBe('cannot_be_merged');
    await move('torn', await git(repository, 'rev-parse', 'clash'));
    await move('into-torn', start);
    expect(await status()).toBe('can_be_merged');
    await move('into-torn', first);
    expect(await status()).toBe('cannot_be_merged');
  });

  test('is up to date right after a push and after a commit by the API', async () => {
    const { path } = await createMergeRequest('pushed');
    const url = remote('ada/app', bob);
    await git(folder, 'push', '--quiet', url, `${second}:refs/heads/pushed`);
    expect((await as(bob).get(path)).body).toMatchObject({
      sha: second,
      merge_status: 'can_be_merged',
    });
    const commit = await as(bob).post(`/projects/${app}/repository/commits`, {
      branch: 'pushed',
      commit_message: 'More',
      actions: [{ action: 'create', file_path: 'more.txt', content: 'more' }],
    });
    const { id } = commit.body as { id: string };
    expect((await as(bob).get(`${path}/commits`)).body).toMatchObject([
      { id },
      { id: second },
      { id: first },
    ]);
  });

  test('fetches the commits of a fork', async () => {
    const { body } = await as(bob).post(`/projects/${app}/fork`);
    const { id: fork } = body as Offered;
    await vi.waitFor(
      async () => {
        const { importStatus } = await db.project.findUniqueOrThrow({ where: { id: fork } });
        expect(importStatus).toBe('finished');
      },
      { timeout: 20_000 },
    );
    await git(folder, 'push', '--quiet', remote('bob/app', bob), `${first}:refs/heads/theirs`);
    const { path } = await createMergeRequest('theirs', fork);
    const next = await branch('theirs', { 'theirs.txt': 'theirs\n' }, first);
    const forked = await repositoryOf(fork);
    await git(forked, 'fetch', '--quiet', folder, `+${next}:refs/heads/theirs`);
    expect((await as(null).get(path)).body).toMatchObject({
      sha: next,
      merge_status: 'can_be_merged',
    });
    expect((await as(null).get(`${path}/commits`)).body).toMatchObject([
      { id: next },
      { id: first },
    ]);
    expect((await as(ada).put(`${path}/merge`)).body).toMatchObject({ state: 'merged', sha: next });
  });
});
