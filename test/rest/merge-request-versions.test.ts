import { describe, expect, test } from 'vitest';
import { commit, git } from '../support/git.ts';
import { instant, refused } from '../support/shapes.ts';
import { versionedWorld } from '../support/versioned-world.ts';

const { as, ada, bob, app, list, folder, start, seed, remote, db, ...near } =
  await versionedWorld();
const { branch, push, createMergeRequest, versionsWith } = near;
const carl = await seed.user('carl');
const dora = await seed.user('dora');
await as(ada).post(`/projects/${app}/members`, { user_id: carl.id, access_level: 10 });

const anyId: unknown = expect.any(Number);

describe('GET /projects/:id/merge_requests/:merge_request_iid/versions', () => {
  test('lists what was compared since each push, the newest first, in pages', async () => {
    const { id, head, versions } = await createMergeRequest('listed');
    const shape = {
      id: anyId,
      head_commit_sha: head,
      base_commit_sha: start,
      start_commit_sha: start,
      created_at: instant,
      merge_request_id: id,
      state: 'collected',
      real_size: '1',
    };
    // at once, also before the job after the creation
    expect(await as(bob).get(versions)).toEqual({ status: 200, body: [shape] });
    const second = await commit(folder, { 'more.txt': 'more\n' }, 'More');
    const target = await branch('into-listed', 'target.txt');
    await push('into-listed');
    await push('listed');
    const both = await versionsWith(versions, second, head);
    expect(both).toEqual([
      { ...shape, head_commit_sha: second, start_commit_sha: target, real_size: '2' },
      shape,
    ]);
    const page = await as(bob).fetch(`${versions}?per_page=1&page=2`);
    expect(await page.json()).toEqual([both[1]]);
    expect(page.headers.get('x-total')).toBe('2');
  });

  test('has one after a rebase, and one after a change of the target branch', async () => {
    const { head, path, versions } = await createMergeRequest('moving');
    const target = await branch('into-moving', 'moved.txt');
    await push('into-moving');
    expect((await as(bob).put(`${path}/rebase`)).status).toBe(202);
    const rebased = async () => ((await as(bob).get(path)).body as { readonly sha: string }).sha;
    await expect.poll(rebased, { timeout: 60_000 }).not.toBe(head);
    const next = await rebased();
    const [newest] = await versionsWith(versions, next, head);
    expect(newest).toMatchObject({ base_commit_sha: target, start_commit_sha: target });
    expect((await as(bob).put(path, { target_branch: 'master' })).status).toBe(200);
    const [retargeted] = await versionsWith(versions, next, next, head);
    expect(retargeted).toMatchObject({ start_commit_sha: start, real_size: '2' });
    // a change of neither
    expect((await as(bob).put(path, { title: 'Another title' })).status).toBe(200);
    await versionsWith(versions, next, next, head);
  });

  test('has one after reopening with another head', async () => {
    const { head, path, versions } = await createMergeRequest('reopened');
    await as(bob).put(path, { state_event: 'close' });
    const next = await commit(folder, { 'again.txt': 'again\n' }, 'Again');
    await push('reopened');
    await versionsWith(versions, head);
    await as(bob).put(path, { state_event: 'reopen' });
    await versionsWith(versions, next, head);
  });

  test('has those of a merge request from a fork', async () => {
    const { id: fork } = await seed.project('bob/fork');
    await db.project.update({ where: { id: fork }, data: { forkedFromId: app } });
    const head = await branch('forked', 'forked.txt');
    await git(folder, 'push', '--quiet', remote('bob/fork', bob), 'forked', 'master');
    const created = await as(bob).post(`/projects/${fork}/merge_requests`, {
      source_branch: 'forked',
      target_branch: 'master',
      target_project_id: app,
      title: 'It',
    });
    const { iid } = created.body as { readonly iid: number };
    const [version] = await versionsWith(`${list}/${iid}/versions`, head);
    expect(version).toMatchObject({ base_commit_sha: start, real_size: '1' });
  });

  test('says that there are no changes, and of unrelated branches no base', async () => {
    await push(`${start}:refs/heads/equal`, `${start}:refs/heads/into-equal`);
    const orphan = await git(folder, 'commit-tree', `${start}^{tree}`, '-m', 'Begin anew');
    await push(`${orphan}:refs/heads/orphan`);
    const versionOf = async (source_branch: string) => {
      const input = { source_branch, target_branch: 'into-equal', title: 'It' };
      const { iid } = (await as(bob).post(list, input)).body as { readonly iid: number };
      return (await as(bob).get(`${list}/${iid}/versions`)).body;
    };
    expect(await versionOf('equal')).toMatchObject([{ state: 'empty', real_size: '0' }]);
    expect(await versionOf('orphan')).toMatchObject([
      { head_commit_sha: orphan, base_commit_sha: null, real_size: '1' },
    ]);
  });

  test('is refused to users who may not read the code, and for missing ones', async () => {
    const { versions } = await createMergeRequest('secret');
    const [{ id }] = (await as(bob).get(versions)).body as [{ readonly id: number }];
    for (const path of [versions, `${versions}/${id}`]) {
      expect(await as(null).get(path)).toEqual(refused.missing('Project'));
      expect(await as(dora).get(path)).toEqual(refused.missing('Project'));
      expect(await as(carl).get(path)).toEqual(refused.forbidden);
    }
    expect(await as(bob).get(`${list}/9999/versions`)).toEqual(refused.record);
  });
});

describe('GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id', () => {
  test('has the commits and the changed files, too', async () => {
    const { head, path, versions } = await createMergeRequest('shown');
    const [version] = await versionsWith(versions, head);
    const commits = (await as(bob).get(`${path}/commits`)).body;
    const diffs = (await as(bob).get(`${path}/diffs`)).body;
    const shown = { status: 200, body: { ...version, commits, diffs } };
    expect(await as(bob).get(`${versions}/${version?.id}`)).toEqual(shown);
    expect(await as(bob).get(`${versions}/${version?.id}?unidiff=true`)).toEqual(shown);
    const [diff] = diffs as [{ readonly diff: string }];
    expect(diff.diff).toBe('--- /dev/null\n+++ b/shown.txt\n@@ -0,0 +1 @@\n+shown\n');
  });

  test('is not found below another merge request', async () => {
    const { head, versions } = await createMergeRequest('mine');
    const other = await createMergeRequest('other');
    const [version] = await versionsWith(versions, head);
    expect(await as(bob).get(`${other.versions}/${version?.id}`)).toEqual(refused.record);
    expect(await as(bob).get(`${versions}/2147483648`)).toEqual(refused.record);
    expect((await as(bob).get(`${versions}/x`)).status).toBe(400);
  });
});
