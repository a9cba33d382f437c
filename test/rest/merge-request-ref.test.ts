import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, tryGit, workTree } from '../support/git.ts';
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

const folder = await workTree({ 'a.txt': 'a\n' });
const start = await git(folder, 'rev-parse', 'HEAD');
afterAll(() => rm(folder, { recursive: true }));
const branch = async (name: string, files: Readonly<Record<string, string>>) => {
  await git(folder, 'checkout', '--quiet', '-B', name, start);
  return commit(folder, files, `Change ${name}`);
};
const topic = await branch('topic', { 'b.txt': 'b\n' });
const clash = await branch('clash', { 'b.txt': 'other\n' });
const next = await branch('next', { 'c.txt': 'c\n' });
await git(folder, 'push', '--quiet', remote('ada/app', root), '--all');

const { diskPath } = await db.project.findUniqueOrThrow({ where: { id: app } });
const repository = join(dataFolder, 'repositories', `${diskPath}.git`);

/** Creates two branches and a merge request of them by bob. */
const createMergeRequest = async (name: string, target = start) => {
  await git(repository, 'branch', '--force', name, topic);
  await git(repository, 'branch', '--force', `into-${name}`, target);
  const response = await as(bob).post(list, {
    source_branch: name,
    target_branch: `into-${name}`,
    title: name,
  });
  expect(response.status).toBe(201);
  return (response.body as { readonly iid: number }).iid;
};
const mergeRef = async (iid: number, user = carl) => {
  const { status, body } = await as(user).get(`${list}/${iid}/merge_ref`);
  expect(status).toBe(200);
  return (body as { readonly commit_id: string }).commit_id;
};
const notMergeable = { status: 400, body: { message: 'Merge request is not mergeable' } };

describe('GET /projects/:id/merge_requests/:iid/merge_ref', () => {
  test('merges into a reference that can be fetched, and moves neither branch', async () => {
    const iid = await createMergeRequest('plain', next);
    const id = await mergeRef(iid);
    const format = '--format=%P|%an <%ae>|%s';
    expect(await git(repository, 'log', '-1', format, id)).toBe(
      `${next} ${topic}|Bob <bob@example.com>|Merge branch 'plain' into 'into-plain'`,
    );
    const ref = `refs/merge-requests/${iid}/merge`;
    await git(folder, 'fetch', '--quiet', remote('ada/app', carl), ref);
    expect(await git(folder, 'rev-parse', 'FETCH_HEAD')).toBe(id);
    expect(await git(repository, 'rev-parse', 'plain', 'into-plain')).toBe(`${topic}\n${next}`);
    expect(await as(carl).get(`${list}/${iid}`)).toMatchObject({
      body: { state: 'opened', sha: topic },
    });
    await git(repository, 'fsck', '--full', '--no-dangling');
  });

  test('gives the same commit until a branch moves', async () => {
    const iid = await createMergeRequest('moving');
    const first = await mergeRef(iid);
    expect(await mergeRef(iid, ada)).toBe(first);
    await git(repository, 'branch', '--force', 'into-moving', next);
    const second = await mergeRef(iid);
    expect(second).not.toBe(first);
    expect(await git(repository, 'rev-parse', `refs/merge-requests/${iid}/merge^1`)).toBe(next);
  });

  test('responds with 400 if it conflicts, adds nothing, or is not open', async () => {
    const conflicting = await createMergeRequest('conflicting', clash);
    expect(await as(carl).get(`${list}/${conflicting}/merge_ref`)).toEqual(notMergeable);
    const empty = await createMergeRequest('empty');
    await git(repository, 'branch', '--force', 'into-empty', topic);
    expect(await as(carl).get(`${list}/${empty}/merge_ref`)).toEqual(notMergeable);
    const closed = await createMergeRequest('closed');
    await as(bob).put(`${list}/${closed}`, { state_event: 'close' });
    expect(await as(carl).get(`${list}/${closed}/merge_ref`)).toEqual(notMergeable);
  });

  test('is for users who may see the merge request', async () => {
    const iid = await createMergeRequest('hidden');
    expect((await as(null).get(`${list}/${iid}/merge_ref`)).status).toBe(404);
    expect((await as(dora).get(`${list}/${iid}/merge_ref`)).status).toBe(404);
    expect((await as(carl).get(`${list}/4242/merge_ref`)).status).toBe(404);
    await db.project.update({ where: { id: app }, data: { visibility: 'public' } });
    expect((await as(null).get(`${list}/${iid}/merge_ref`)).status).toBe(200);
    await db.project.update({ where: { id: app }, data: { visibility: 'private' } });
  });

  test('the reference is deleted with the merge request', async () => {
    const iid = await createMergeRequest('deleted');
    await mergeRef(iid);
    expect((await as(ada).delete(`${list}/${iid}`)).status).toBe(204);
    const ref = `refs/merge-requests/${iid}/merge`;
    expect((await tryGit(repository, 'rev-parse', '--verify', ref)).code).not.toBe(0);
  });

  test('the commit of a deleted author has another name', async () => {
    const iid = await createMergeRequest('orphaned');
    await db.mergeRequest.updateMany({ where: { iid, projectId: app }, data: { authorId: null } });
    expect(await git(repository, 'log', '-1', '--format=%an', await mergeRef(iid))).toBe(
      'Deleted user',
    );
  });
});
