import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commit, git, tryGit, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db, dataFolder } = await world({
  settings: { defaultBranchProtection: 0 },
});
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: app } = await seed.project('ada/app', {}, { visibility: 'public' });

const folder = await workTree({ 'a.txt': 'a\n' });
const start = await git(folder, 'rev-parse', 'HEAD');
afterAll(() => rm(folder, { recursive: true }));
await git(folder, 'push', '--quiet', remote('ada/app', root), 'master');

const { body: forked } = await as(bob).post(`/projects/${app}/fork`);
const { id: fork } = forked as { id: number };
const projectOf = (id: number) => db.project.findUniqueOrThrow({ where: { id } });
beforeAll(async () => {
  const status = async () => (await projectOf(fork)).importStatus;
  while ((await status()) !== 'finished') await new Promise(setImmediate);
}, 20_000);

const repositoryOf = async (id: number) =>
  join(dataFolder, 'repositories', `${(await projectOf(id)).diskPath}.git`);
const target = await repositoryOf(app);
const list = `/projects/${app}/merge_requests`;

interface Offered {
  readonly id: number;
  readonly iid: number;
}

const branch = async (name: string, from = start) => {
  await git(folder, 'checkout', '--quiet', '-B', name, from);
  const sha = await commit(folder, { [`${name}.txt`]: `${name}\n` }, `Add ${name}`);
  await git(folder, 'push', '--quiet', '--force', remote('bob/app', bob), name);
  return sha;
};
const createMergeRequest = async (source: string, more: Record<string, unknown> = {}) => {
  const response = await as(bob).post(`/projects/${fork}/merge_requests`, {
    source_branch: source,
    target_branch: 'master',
    target_project_id: app,
    title: `Merge ${source}`,
    ...more,
  });
  expect(response.status).toBe(201);
  return response.body as Offered;
};
const stored = (id: number) => db.mergeRequest.findUniqueOrThrow({ where: { id } });

describe('merge requests from a fork', () => {
  test('fetch their commits, show them, and can be merged by users with push access to the target', async () => {
    const sha = await branch('first');
    const { iid } = await createMergeRequest('first');
    expect(await git(target, 'rev-parse', `refs/merge-requests/${iid}/head`)).toBe(sha);
    expect((await tryGit(target, 'cat-file', '-e', 'objects/info/alternates')).code).not.toBe(0);
    expect(await as(bob).get(`${list}/${iid}`)).toMatchObject({
      status: 200,
      body: { merge_status: 'can_be_merged', source_project_id: fork, target_project_id: app },
    });
    expect(await as(null).get(`${list}/${iid}/commits`)).toMatchObject({
      status: 200,
      body: [{ id: sha }],
    });
    expect(await as(bob).put(`${list}/${iid}/merge`)).toEqual(refused.anonymous);
    expect(await as(ada).put(`${list}/${iid}/merge`)).toMatchObject({
      status: 200,
      body: { state: 'merged' },
    });
    expect(await git(target, 'show', 'master:first.txt')).toBe('first');
  });

  test('follow a push to the fork', async () => {
    const sha = await branch('second');
    const { id, iid } = await createMergeRequest('second');
    const next = await commit(folder, { 'third.txt': 'third\n' }, 'Third');
    await git(folder, 'push', '--quiet', remote('bob/app', bob), 'second');
    await expect.poll(async () => (await stored(id)).sha).toBe(next);
    expect(await git(target, 'rev-parse', `refs/merge-requests/${iid}/head`)).toBe(next);
    expect(sha).not.toBe(next);
  });

  test('delete the fork’s branch with the rights of the user who asked for it', async () => {
    await branch('mine');
    const { iid } = await createMergeRequest('mine');
    const body = { should_remove_source_branch: true };
    expect((await as(ada).put(`${list}/${iid}/merge`, body)).status).toBe(200);
    const own = await repositoryOf(fork);
    // ada may not push to the fork
    expect((await tryGit(own, 'rev-parse', '--verify', 'refs/heads/mine')).code).toBe(0);
    await branch('tidy');
    const { iid: tidy } = await createMergeRequest('tidy', { remove_source_branch: true });
    expect((await as(ada).put(`${list}/${tidy}/merge`)).status).toBe(200);
    expect((await tryGit(own, 'rev-parse', '--verify', 'refs/heads/tidy')).code).not.toBe(0);
  });

  test('cannot be merged after the fork’s deletion, and show their changes', async () => {
    await branch('last');
    const { iid } = await createMergeRequest('last');
    const commits = await as(bob).get(`${list}/${iid}/commits`);
    expect((await as(bob).delete(`/projects/${fork}`)).status).toBe(202);
    expect(await as(ada).put(`${list}/${iid}/merge`)).toEqual({
      status: 405,
      body: { message: '405 Method Not Allowed' },
    });
    expect(await as(ada).get(`${list}/${iid}/commits`)).toEqual(commits);
  });
});
