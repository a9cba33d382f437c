import { rm } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import {
  mergeRequestShape,
  pushBranches,
  type TestMergeRequest,
} from '../support/merge-requests.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, remote, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');

const { id: app } = await seed.project('ada/app', {}, { visibility: 'public' });
const { id: other } = await seed.project('ada/other', {}, { visibility: 'public' });
await pushBranches(remote('ada/app', root), []);
await pushBranches(remote('ada/other', root), []);

/** A user's fork, after its import. */
async function forkOf(project: number, person: TestUser): Promise<number> {
  const { status, body } = await as(person).post(`/projects/${project}/fork`);
  expect(status).toBe(201);
  const { id } = body as TestMergeRequest;
  await vi.waitFor(
    async () => {
      const { importStatus } = await db.project.findUniqueOrThrow({ where: { id } });
      expect(importStatus).toBe('finished');
    },
    { timeout: 20_000, interval: 50 },
  );
  return id;
}

/** Pushes one commit as a new branch; gives the commit. */
async function pushed(path: string, branch: string, person: TestUser): Promise<string> {
  const folder = await workTree({ 'README.md': '# App\n' });
  await git(folder, 'fetch', '--quiet', remote(path, person), 'master');
  await git(folder, 'checkout', '--quiet', '-b', branch, 'FETCH_HEAD');
  const sha = await commit(folder, { [`${branch}.txt`]: branch }, `Change ${branch}`);
  await git(folder, 'push', '--quiet', remote(path, person), branch);
  await rm(folder, { recursive: true });
  return sha;
}

const fork = await forkOf(app, bob);
const branches = (source_branch: string, target_project_id: number) => ({
  source_branch,
  target_branch: 'master',
  title: 'Better',
  target_project_id,
});

describe('merge requests from a fork', () => {
  test('belong to the target project', async () => {
    const sha = await pushed('bob/app', 'better', bob);
    const response = await as(bob).post(`/projects/${fork}/merge_requests`, {
      ...branches('better', app),
      labels: 'bug',
      assignee_id: ada.id,
    });
    const mergeRequest = response.body as TestMergeRequest;
    const shape = {
      ...mergeRequestShape(url, {
        ...mergeRequest,
        projectId: app,
        fullPath: 'ada/app',
        sourceProjectId: fork,
        title: 'Better',
        sourceBranch: 'better',
        sha,
        author: bob,
      }),
      subscribed: true,
      head_pipeline: null,
    };
    expect(response).toEqual({ status: 201, body: shape });
    expect(
      (await as(bob).get(`/projects/${app}/merge_requests/${mergeRequest.iid}`)).body,
    ).toMatchObject(shape);
    const commits = await as(null).get(
      `/projects/${app}/merge_requests/${mergeRequest.iid}/commits`,
    );
    expect(commits.body).toMatchObject([{ id: sha }]);
    expect((await as(bob).get(`/projects/${fork}/merge_requests`)).body).toEqual([]);
  });

  test('can target the first of a chain of forks', async () => {
    const second = await forkOf(fork, carl);
    await pushed('carl/app', 'further', carl);
    const path = `/projects/${second}/merge_requests`;
    for (const target of [app, fork]) {
      expect((await as(carl).post(path, branches('further', target))).status).toBe(201);
    }
  });

  test('cannot target an unrelated project', async () => {
    const refusal = {
      status: 422,
      body: { error: ['Source project is not a fork of the target project'] },
    };
    const path = `/projects/${fork}/merge_requests`;
    expect(await as(bob).post(path, branches('better', other))).toEqual(refusal);
    expect(await as(ada).post(`/projects/${app}/merge_requests`, branches('master', fork))).toEqual(
      refusal,
    );
  });

  test('require push access to the source and read access to the target', async () => {
    const path = `/projects/${fork}/merge_requests`;
    expect(await as(ada).post(path, branches('better', app))).toEqual(refused.forbidden);
    const { id: hidden } = await seed.project('ada/hidden', {}, { visibility: 'private' });
    expect(await as(bob).post(path, branches('better', hidden))).toEqual(
      refused.missing('Project'),
    );
    await as(ada).post(`/projects/${hidden}/members`, { user_id: bob.id, access_level: 10 });
    expect(await as(bob).post(path, branches('better', hidden))).toEqual(refused.forbidden);
    expect(await as(bob).post(path, branches('better', 99_999))).toEqual(
      refused.missing('Project'),
    );
  });

  test('survive the fork’s deletion', async () => {
    const deletedFork = await forkOf(other, carl);
    await pushed('carl/other', 'last', carl);
    const { body } = await as(carl).post(
      `/projects/${deletedFork}/merge_requests`,
      branches('last', other),
    );
    const { iid } = body as TestMergeRequest;
    const path = `/projects/${other}/merge_requests/${iid}`;
    expect((await as(carl).delete(`/projects/${deletedFork}`)).status).toBe(202);
    const after = await as(ada).get(path);
    expect(after.body).toMatchObject({ source_project_id: null, source_branch: 'last' });
    await as(ada).put(path, { state_event: 'close' });
    expect(await as(ada).put(path, { state_event: 'reopen' })).toEqual({
      status: 422,
      body: { error: ['Source branch "last" does not exist'] },
    });
  });

  test('are closed when the fork is unlinked; other merge requests stay', async () => {
    await pushed('bob/app', 'own', bob);
    const path = `/projects/${fork}/merge_requests`;
    expect((await as(bob).post(path, branches('own', fork))).status).toBe(201);
    const open = async (project: number) => {
      const { body } = await as(ada).get(`/projects/${project}/merge_requests?state=opened`);
      return (body as { source_branch: string }[])
        .map((mergeRequest) => mergeRequest.source_branch)
        .toSorted();
    };
    expect([await open(app), await open(fork)]).toEqual([
      ['better', 'further'],
      ['further', 'own'],
    ]);
    expect((await as(carl).delete(`/projects/${fork}/fork`)).status).toBe(403);
    expect((await as(bob).delete(`/projects/${fork}/fork`)).status).toBe(204);
    expect([await open(app), await open(fork)]).toEqual([['further'], ['further', 'own']]);
    const closed = await db.mergeRequest.findFirstOrThrow({
      where: { projectId: app, sourceBranch: 'better' },
      include: { notes: true },
    });
    expect(closed).toMatchObject({
      state: 'closed',
      closedById: bob.id,
      notes: [{ body: 'closed', isSystem: true, authorId: bob.id }],
    });
    const event = await db.event.findFirst({ where: { targetId: closed.id, action: 'closed' } });
    expect(event).toMatchObject({ authorId: bob.id, target: 'merge_request' });
    expect((await as(bob).delete(`/projects/${fork}/fork`)).status).toBe(304);
  });
});
