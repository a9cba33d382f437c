import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db, dataFolder } = await world({
  settings: { defaultBranchProtection: 0 },
});
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');
const { id: app } = await seed.project('ada/app', { developer: bob, reporter: carl });
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
await branch('side', { 'd.txt': 'd\n' });
await git(folder, 'checkout', '--quiet', '-B', 'merged', second);
await git(folder, 'merge', '--quiet', '--no-ff', '--message=Merge side', 'side');
const merged = await git(folder, 'rev-parse', 'HEAD');
const ahead = await branch('ahead', { 'b.txt': 'ahead\n', '.gitlab-ci.yml': 'a: {script: ok}\n' });
const clash = await branch('clash', { 'a.txt': 'clash\n' });
await git(folder, 'checkout', '--quiet', '-B', 'picked', ahead);
await git(folder, 'cherry-pick', first);
const picked = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'push', '--quiet', remote('ada/app', root), '--all');

const repositoryOf = async (id: number) => {
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return join(dataFolder, 'repositories', `${diskPath}.git`);
};
const repository = await repositoryOf(app);
const tip = (name: string, where = repository) => git(where, 'rev-parse', `refs/heads/${name}`);
/** The titles of the commits of a branch that its target does not have, the oldest first. */
const titles = (name: string, where = repository) =>
  git(where, 'log', '--reverse', '--format=%s', `into-${name}..${name}`);

/** Creates two branches and a merge request of them. */
const createMergeRequest = async (name: string, source: string, target: string) => {
  await git(repository, 'branch', '--force', name, source);
  await git(repository, 'branch', '--force', `into-${name}`, target);
  const response = await as(bob).post(list, {
    source_branch: name,
    target_branch: `into-${name}`,
    title: name,
  });
  expect(response.status).toBe(201);
  const { id, iid } = response.body as { readonly id: number; readonly iid: number };
  return { id, path: `${list}/${iid}`, rebase: `${list}/${iid}/rebase` };
};
const started = { status: 202, body: { rebase_in_progress: true } };

const asking = (path: string) => `${path}?include_rebase_in_progress=true`;

interface Rebased {
  readonly rebase_in_progress: boolean;
  readonly merge_error: string | null;
  readonly sha: string;
}

/** The merge request after the job of its rebase. */
const rebased = async (path: string) => {
  const show = async () => (await as(bob).get(asking(path))).body as Rebased;
  await expect.poll(async () => (await show()).rebase_in_progress, { timeout: 60_000 }).toBe(false);
  return show();
};
const failed = { merge_error: 'Rebase failed. Please rebase locally' };

describe('PUT /projects/:id/merge_requests/:iid/rebase', () => {
  test('rebases the source branch as a push of the caller and keeps the authors', async () => {
    const { path, rebase } = await createMergeRequest('topic', merged, ahead);
    expect(await as(bob).put(rebase)).toEqual(started);
    const { sha, merge_error } = await rebased(path);
    expect(merge_error).toBeNull();
    expect(await tip('topic')).toBe(sha);
    expect(await git(repository, 'merge-base', 'topic', 'into-topic')).toBe(ahead);
    const commits = (await titles('topic')).split('\n');
    expect(commits.toSorted()).toEqual(['Change first', 'Change second', 'Change side']);
    const format = '--format=%an|%cn <%ce>';
    const author = await git(repository, 'log', '-1', '--format=%an', first);
    expect(await git(repository, 'log', '-1', format, 'topic')).toBe(
      `${author}|Bob <bob@example.com>`,
    );
    expect(await git(repository, 'show', 'topic:d.txt')).toBe('d');
    await git(repository, 'fsck', '--full', '--no-dangling');
    const event = await db.event.findFirst({
      where: {
        projectId: app,
        action: 'pushed',
        authorId: bob.id,
        push: { path: ['commitTo'], equals: sha },
      },
    });
    expect(event).not.toBeNull();
    const pipelines = () => db.pipeline.count({ where: { projectId: app, sha } });
    await expect.poll(pipelines, { timeout: 60_000 }).toBe(1);
  });

  test('with skip_ci creates no pipeline', async () => {
    const { id, path, rebase } = await createMergeRequest('quiet', first, ahead);
    expect(await as(bob).put(rebase, { skip_ci: true })).toEqual(started);
    const { sha } = await rebased(path);
    expect(sha).not.toBe(first);
    // the same job after the push as that of pipelines
    const stored = async () => (await db.mergeRequest.findUnique({ where: { id } }))?.sha;
    await expect.poll(stored, { timeout: 60_000 }).toBe(sha);
    const jobs = await db.$queryRaw<{ data: object }[]>`
      SELECT data FROM pgboss.job WHERE name = 'make-pipelines' AND data::text LIKE ${`%${sha}%`}`;
    expect(jobs).toEqual([]);
  });

  test('drops commits that the target branch has already', async () => {
    const { path, rebase } = await createMergeRequest('partly', second, picked);
    expect(await as(bob).put(rebase)).toEqual(started);
    expect(await rebased(path)).toMatchObject({ merge_error: null });
    expect(await titles('partly')).toBe('Change second');
  });

  test('a conflict leaves the branch and is shown until the next rebase', async () => {
    const { path, rebase } = await createMergeRequest('conflict', second, clash);
    expect(await as(bob).put(rebase)).toEqual(started);
    expect(await rebased(path)).toMatchObject({ ...failed, sha: second });
    expect(await tip('conflict')).toBe(second);
    await git(repository, 'branch', '--force', 'into-conflict', ahead);
    expect(await as(bob).put(rebase)).toEqual(started);
    expect(await rebased(path)).toMatchObject({ merge_error: null });
    expect(await titles('conflict')).toBe('Change first\nChange second');
  });

  test('a branch that contains its target stays as it is', async () => {
    const { path, rebase } = await createMergeRequest('current', merged, start);
    expect(await as(bob).put(rebase)).toEqual(started);
    expect(await rebased(path)).toMatchObject({ merge_error: null, sha: merged });
    expect(await tip('current')).toBe(merged);
  });

  test('loses no commit that is pushed meanwhile', async () => {
    const { path, rebase } = await createMergeRequest('busy', second, ahead);
    const write = (name: string) =>
      as(bob).post(`/projects/${app}/repository/files/${name}`, {
        branch: 'busy',
        content: name,
        commit_message: `Add ${name}`,
      });
    const names = ['1.txt', '2.txt', '3.txt', '4.txt'];
    const [response, ...written] = await Promise.all([as(bob).put(rebase), ...names.map(write)]);
    expect(response).toEqual(started);
    expect(written.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(await rebased(path)).toMatchObject({ merge_error: null });
    expect(await git(repository, 'merge-base', 'busy', 'into-busy')).toBe(ahead);
    const commits = (await titles('busy')).split('\n').toSorted();
    expect(commits).toEqual([
      ...names.map((name) => `Add ${name}`),
      'Change first',
      'Change second',
    ]);
  });

  test('responds with 409 during a rebase and unless the merge request is open', async () => {
    const { id, path, rebase } = await createMergeRequest('twice', first, ahead);
    const set = (rebaseStartedAt: Date) =>
      db.mergeRequest.update({ where: { id }, data: { rebaseStartedAt } });
    const refusal = {
      status: 409,
      body: { message: 'The merge request is not open, or is already being rebased' },
    };
    await set(new Date());
    expect(await as(bob).put(rebase)).toEqual(refusal);
    expect(await as(bob).get(asking(path))).toMatchObject({
      body: { rebase_in_progress: true },
    });
    // given up
    await set(new Date(Date.now() - 16 * 60_000));
    expect(await as(bob).get(asking(path))).toMatchObject({
      body: { rebase_in_progress: false },
    });
    expect(await as(bob).put(rebase)).toEqual(started);
    expect(await rebased(path)).toMatchObject({ merge_error: null });
    expect((await as(bob).put(path, { state_event: 'close' })).status).toBe(200);
    expect(await as(bob).put(rebase)).toEqual(refusal);
  });

  test('requires push access to the source branch that may discard commits', async () => {
    const { path, rebase } = await createMergeRequest('guarded', first, ahead);
    const deny = (why: string) => ({
      status: 403,
      body: { message: `403 Forbidden - ${why}` },
    });
    expect(await as(null).put(rebase)).toEqual(refused.anonymous);
    expect((await as(dora).put(rebase)).status).toBe(404);
    expect(await as(carl).put(rebase)).toEqual(deny('Cannot push to source branch'));
    expect((await as(bob).put(`${list}/4242/rebase`)).status).toBe(404);
    expect((await as(bob).put(rebase, { skip_ci: 'maybe' })).status).toBe(400);
    const rule = await db.protectedBranch.create({
      data: { projectId: app, name: 'guarded', pushAccessLevel: 40, mergeAccessLevel: 40 },
    });
    expect(await as(bob).put(rebase)).toEqual(deny('Cannot push to source branch'));
    await db.protectedBranch.update({ where: { id: rule.id }, data: { pushAccessLevel: 30 } });
    expect(await as(bob).put(rebase)).toEqual(deny('Source branch is protected from force push'));
    expect(await as(ada).put(rebase)).toEqual(started);
    expect(await rebased(path)).toMatchObject({ merge_error: null });
    await git(repository, 'branch', '--delete', '--force', 'guarded');
    expect(await as(ada).put(rebase)).toEqual(deny('Source branch does not exist'));
  });

  test.each([
    ['the rights are', 'revoked', { userId: carl.id, targetBranch: 'into-revoked' }],
    ['the target is', 'retargeted', { userId: bob.id, targetBranch: 'master' }],
  ])('%s compared again when the job runs', async (_what, name, requested) => {
    const { id, path, rebase } = await createMergeRequest(name, first, ahead);
    const startedAt = new Date();
    await db.mergeRequest.update({ where: { id }, data: { rebaseStartedAt: startedAt } });
    const payload = {
      mergeRequestId: id,
      projectId: app,
      ...requested,
      skipsCi: false,
      startedAt: startedAt.toISOString(),
    };
    await db.$executeRaw`
      INSERT INTO pgboss.job (name, data) VALUES ('rebase-merge-request', ${JSON.stringify(payload)}::jsonb)`;
    expect(await rebased(path)).toMatchObject(failed);
    expect(await tip(name)).toBe(first);
    expect(await as(bob).put(rebase)).toEqual(started);
  });
});

describe('a rebase of a merge request from a fork', () => {
  test('changes the fork, by users who may push to it', async () => {
    const { id: open } = await seed.project(
      'ada/open',
      { developer: bob },
      { visibility: 'public' },
    );
    await git(folder, 'push', '--quiet', remote('ada/open', root), `${start}:refs/heads/master`);
    const { body } = await as(dora).post(`/projects/${open}/fork`);
    const { id: fork } = body as { id: number };
    const status = async () =>
      (await db.project.findUniqueOrThrow({ where: { id: fork } })).importStatus;
    await expect.poll(status, { timeout: 60_000 }).toBe('finished');
    await git(folder, 'push', '--quiet', remote('dora/open', dora), `${second}:refs/heads/topic`);
    const created = await as(dora).post(`/projects/${fork}/merge_requests`, {
      source_branch: 'topic',
      target_branch: 'master',
      target_project_id: open,
      title: 'From a fork',
    });
    expect(created.status).toBe(201);
    const path = `/projects/${open}/merge_requests/1`;
    await git(folder, 'push', '--quiet', remote('ada/open', root), `${ahead}:refs/heads/master`);
    expect(await as(bob).put(`${path}/rebase`)).toMatchObject({ status: 403 });
    expect(await as(dora).put(`${path}/rebase`)).toEqual(started);
    const { sha, merge_error } = await rebased(path);
    expect(merge_error).toBeNull();
    expect(await git(await repositoryOf(fork), 'rev-parse', 'topic', 'topic~2')).toBe(
      `${sha}\n${ahead}`,
    );
  });
});

describe('GET /projects/:id/merge_requests/:iid', () => {
  test('has the fields of the rebase only for clients that ask for them', async () => {
    const { path } = await createMergeRequest('shown', first, ahead);
    const { body } = await as(carl).get(path);
    expect(body).not.toHaveProperty('rebase_in_progress');
    expect(body).not.toHaveProperty('merge_error');
    expect(await as(carl).get(asking(path))).toMatchObject({
      status: 200,
      body: { rebase_in_progress: false, merge_error: null },
    });
  });
});
