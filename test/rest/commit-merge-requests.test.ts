import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { recordCommits } from '../../schema/merge-requests/record-commits.ts';
import { gitStore } from '../../server/git/store.ts';
import {
  mergeRequestShape,
  pushBranches,
  type TestMergeRequest,
} from '../support/merge-requests.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, remote, db, dataFolder } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');
const { id: app } = await seed.project('ada/app', { developer: bob, guest: carl });
const commits = await pushBranches(remote('ada/app', root), [
  'topic',
  'merged',
  'moved',
  'old',
  'limited',
  'retargeted',
]);
const shaOf = (branch: string) => commits.get(branch) ?? '';
const pathOf = (sha: string, project: number | string = app) =>
  `/projects/${project}/repository/commits/${sha}/merge_requests`;

const createMergeRequest = async (source_branch: string, target_branch = 'master') => {
  const input = { source_branch, target_branch, title: source_branch };
  const response = await as(bob).post(`/projects/${app}/merge_requests`, input);
  expect(response.status).toBe(201);
  return response.body as TestMergeRequest;
};
/** The numbers of the merge requests with a commit. */
const iidsOf = async (sha: string, user: TestUser = bob) => {
  const { status, body } = await as(user).get(pathOf(sha));
  expect(status).toBe(200);
  return (body as readonly TestMergeRequest[]).map(({ iid }) => iid);
};
const waitForIids = (sha: string, iids: readonly number[]) =>
  vi.waitFor(async () => expect(await iidsOf(sha)).toEqual(iids), {
    timeout: 20_000,
    interval: 50,
  });

describe('GET /projects/:id/repository/commits/:sha/merge_requests', () => {
  test('lists the merge requests that add the commit, the newest first', async () => {
    await as(bob).post(`/projects/${app}/repository/branches`, { branch: 'base', ref: 'master' });
    const first = await createMergeRequest('topic');
    const second = await createMergeRequest('topic', 'base');
    await waitForIids(shaOf('topic'), [second.iid, first.iid]);
    const response = await as(bob).get(`${pathOf('topic')}?per_page=1&page=2`);
    expect(response).toEqual({
      status: 200,
      body: [
        mergeRequestShape(url, {
          ...first,
          projectId: app,
          fullPath: 'ada/app',
          title: 'topic',
          sourceBranch: 'topic',
          sha: shaOf('topic'),
          author: bob,
        }),
      ],
    });
    expect(await iidsOf(shaOf('master'))).toEqual([]);
    expect(await iidsOf(shaOf('limited'))).toEqual([]);
  });

  test('lists a merged one by its commits and by its merge commit', async () => {
    const { iid } = await createMergeRequest('merged');
    const { status, body } = await as(ada).put(`/projects/${app}/merge_requests/${iid}/merge`);
    expect(status).toBe(200);
    const { merge_commit_sha } = body as { readonly merge_commit_sha: string };
    await waitForIids(merge_commit_sha, [iid]);
    expect(await iidsOf(shaOf('merged'))).toEqual([iid]);
    expect(await iidsOf(shaOf('master'))).toEqual([]);
  });

  test('follows pushes to the source branch', async () => {
    const { iid } = await createMergeRequest('moved');
    await waitForIids(shaOf('moved'), [iid]);
    const response = await as(bob).post(`/projects/${app}/repository/commits`, {
      branch: 'moved',
      commit_message: 'More',
      actions: [{ action: 'create', file_path: 'more.txt', content: 'more' }],
    });
    expect(response.status).toBe(201);
    await waitForIids((response.body as { readonly id: string }).id, [iid]);
    expect(await iidsOf(shaOf('moved'))).toEqual([iid]);
  });

  test('a change of the target branch meanwhile leaves the recording to its own job', async () => {
    const { id, iid } = await createMergeRequest('retargeted');
    await waitForIids(shaOf('retargeted'), [iid]);
    await db.mergeRequestCommit.deleteMany({ where: { mergeRequestId: id } });
    const storages = new Map([['default', join(dataFolder, 'repositories')]]);
    const store = gitStore({ storages });
    const git: typeof store = {
      ...store,
      commitsToMerge: async (...range) => {
        await db.mergeRequest.update({ where: { id }, data: { targetBranch: 'elsewhere' } });
        return store.commitsToMerge(...range);
      },
    };
    await recordCommits(id, new AbortController().signal, { db, git });
    expect(await db.mergeRequestCommit.count({ where: { mergeRequestId: id } })).toBe(0);
  });

  test('lists merge requests of versions that recorded no commits', async () => {
    const { id, iid } = await createMergeRequest('old');
    await waitForIids(shaOf('old'), [iid]);
    await db.mergeRequestCommit.deleteMany({ where: { mergeRequestId: id } });
    expect(await iidsOf(shaOf('old'))).toEqual([]);
    await db.mergeRequestCommitBackfill.create({ data: { lastId: id } });
    await waitForIids(shaOf('old'), [iid]);
    expect(await db.mergeRequestCommitBackfill.count()).toBe(0);
  });

  test('is refused to users who may not read the code, and for missing commits', async () => {
    const path = pathOf(shaOf('master'));
    expect(await as(null).get(path)).toEqual(refused.missing('Project'));
    expect(await as(dora).get(path)).toEqual(refused.missing('Project'));
    expect(await as(carl).get(path)).toEqual(refused.forbidden);
    expect(await as(root).get(path)).toEqual({ status: 200, body: [] });
    expect(await as(bob).get(pathOf('none'))).toEqual(refused.missing('Commit'));
    expect(await as(bob).get(pathOf(shaOf('master'), 'ada%2Fnone'))).toEqual(
      refused.missing('Project'),
    );
  });

  test('lists none where merge requests are disabled', async () => {
    const { iid } = await createMergeRequest('limited');
    await waitForIids(shaOf('limited'), [iid]);
    await as(ada).put(`/projects/${app}`, { merge_requests_enabled: false });
    expect(await iidsOf(shaOf('limited'))).toEqual([]);
    await as(ada).put(`/projects/${app}`, { merge_requests_enabled: true });
    expect(await iidsOf(shaOf('limited'))).toEqual([iid]);
  });
});
