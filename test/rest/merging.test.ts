import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, tryGit, workTree } from '../support/git.ts';
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

const lines = (...changed: readonly string[]) =>
  Array.from({ length: 8 }, (_, index) => `${changed[index] || index + 1}\n`).join('');
const folder = await workTree({
  'a.txt': 'a\n',
  'b.txt': lines(),
  'c.bin': Buffer.from([0, 1, 2]),
});
const start = await git(folder, 'rev-parse', 'HEAD');
const branch = async (name: string, files: Parameters<typeof commit>[1], from = start) => {
  await git(folder, 'checkout', '--quiet', '-B', name, from);
  return commit(folder, files, `Change ${name}`);
};
const push = (...refs: readonly string[]) =>
  git(folder, 'push', '--quiet', remote('ada/app', root), ...refs);
const top = await branch('top', { 'b.txt': lines('one') });
await branch('bottom', { 'b.txt': lines('', '', '', '', '', '', '', 'eight') });
await branch('clash', { 'b.txt': lines('uno') });
await git(folder, 'checkout', '--quiet', '-B', 'moved', start);
await git(folder, 'mv', 'b.txt', 'moved.txt');
await commit(folder, {}, 'Move b');
await branch('binary', { 'c.bin': Buffer.from([0, 9, 9]) });
await branch('binary-clash', { 'c.bin': Buffer.from([0, 8, 8]) });
await branch('two', { 'd.txt': 'd\n' });
const second = await commit(folder, { 'e.txt': 'e\n' }, 'Second of two');
await push('--all');
afterAll(() => rm(folder, { recursive: true }));

const { diskPath } = await db.project.findUniqueOrThrow({ where: { id: app } });
const repository = join(dataFolder, 'repositories', `${diskPath}.git`);
const list = `/projects/${app}/merge_requests`;

interface Offered {
  readonly iid: number;
  readonly [name: string]: unknown;
}

/**
 * Creates a merge request with a target branch of its own, so that tests do not affect each other.
 */
const createMergeRequest = async (
  source: string,
  target: string,
  more: Record<string, unknown> = {},
) => {
  const response = await as(bob).post(list, {
    source_branch: source,
    target_branch: target,
    title: `Merge ${source}`,
    ...more,
  });
  expect(response.status).toBe(201);
  return response.body as Offered;
};
const target = async (name: string, at = start) => {
  await git(repository, 'branch', '--force', name, at);
  return name;
};
const show = async (iid: number) => (await as(bob).get(`${list}/${iid}`)).body as Offered;
const notesOf = async ({ id }: Offered) => {
  const notes = await db.note.findMany({
    where: { mergeRequestId: id as number },
    orderBy: { id: 'asc' },
  });
  return notes.map(({ body }) => body);
};
const tip = (name: string) => git(repository, 'rev-parse', name);

const notAllowed = { status: 405, body: { message: '405 Method Not Allowed' } };
const conflict = { status: 406, body: { message: 'Branch cannot be merged' } };

describe('PUT /projects/:id/merge_requests/:iid/merge', () => {
  test('creates a merge commit by the caller and shows it', async () => {
    const targetBranch = await target('into-merge', await tip('bottom'));
    const mergeRequest = await createMergeRequest('top', targetBranch, { title: 'Top' });
    expect(await show(mergeRequest.iid as number)).toMatchObject({ merge_status: 'can_be_merged' });
    const response = await as(bob).put(`${list}/${mergeRequest.iid}/merge`);
    const merge = await tip(targetBranch);
    expect(response).toEqual({
      status: 200,
      body: {
        ...mergeRequest,
        state: 'merged',
        merge_status: 'can_be_merged',
        merge_commit_sha: merge,
        updated_at: expect.any(String),
      },
    });
    expect(await git(repository, 'log', '-1', '--format=%P|%an <%ae>|%cn <%ce>|%B', merge)).toBe(
      `${await tip('bottom')} ${top}|Bob <bob@example.com>|Bob <bob@example.com>|` +
        `Merge branch 'top' into 'into-merge'\n\nTop\n\nSee merge request ada/app!${mergeRequest.iid}`,
    );
    expect(await git(repository, 'show', `${merge}:b.txt`)).toBe(
      lines('one', '', '', '', '', '', '', 'eight').trimEnd(),
    );
    await git(repository, 'fsck', '--full', '--no-dangling');
    expect(await notesOf(mergeRequest)).toEqual(['merged']);
    const event = await db.event.findFirst({
      where: { targetId: mergeRequest.id as number, action: 'merged' },
    });
    expect(event).toMatchObject({
      authorId: bob.id,
      target: 'merge_request',
      targetIid: mergeRequest.iid,
    });
  });

  test('accepts a message and removes the source branch', async () => {
    await target('going', await tip('top'));
    const targetBranch = await target('into-removal');
    const { iid } = await createMergeRequest('going', targetBranch);
    const body = { merge_commit_message: 'Mine\n\nReason', should_remove_source_branch: true };
    expect(await as(bob).put(`${list}/${iid}/merge`, body)).toMatchObject({
      status: 200,
      body: { should_remove_source_branch: true, force_remove_source_branch: false },
    });
    expect(await git(repository, 'log', '-1', '--format=%B', targetBranch)).toBe('Mine\n\nReason');
    expect((await tryGit(repository, 'rev-parse', '--verify', 'refs/heads/going')).code).not.toBe(
      0,
    );
    expect(await show(iid)).toMatchObject({
      state: 'merged',
      sha: top,
      should_remove_source_branch: true,
    });
  });

  test('the author can request the removal of the source branch', async () => {
    await target('removable', await tip('top'));
    const { iid } = await createMergeRequest('removable', await target('into-removable'), {
      remove_source_branch: true,
    });
    expect((await as(ada).put(`${list}/${iid}/merge`)).status).toBe(200);
    expect(
      (await tryGit(repository, 'rev-parse', '--verify', 'refs/heads/removable')).code,
    ).not.toBe(0);
  });

  test('keeps a protected source branch', async () => {
    await target('kept', await tip('top'));
    await db.protectedBranch.create({ data: { projectId: app, name: 'kept' } });
    const { iid } = await createMergeRequest('kept', await target('into-kept'));
    const body = { should_remove_source_branch: true };
    expect((await as(ada).put(`${list}/${iid}/merge`, body)).status).toBe(200);
    expect(await tip('kept')).toBe(top);
    const { iid: other } = await createMergeRequest('kept', await target('into-kept-too'));
    const input = { should_remove_source_branch: false };
    expect((await as(ada).put(`${list}/${other}/merge`, input)).body).toMatchObject(input);
    expect(await show(other)).toMatchObject({ state: 'merged', ...input });
  });

  test('merges renames and binary files', async () => {
    const targetBranch = await target('into-rename', await tip('moved'));
    const { iid } = await createMergeRequest('top', targetBranch);
    expect((await as(bob).put(`${list}/${iid}/merge`)).status).toBe(200);
    expect(await git(repository, 'show', `${targetBranch}:moved.txt`)).toBe(lines('one').trimEnd());
    const { iid: binary } = await createMergeRequest('binary', targetBranch);
    expect((await as(bob).put(`${list}/${binary}/merge`)).status).toBe(200);
    expect(await git(repository, 'rev-parse', `${targetBranch}:c.bin`)).toBe(
      await git(repository, 'rev-parse', 'binary:c.bin'),
    );
  });

  test.each([
    ['clash', 'top'],
    ['binary', 'binary-clash'],
  ])('a conflict is reported and changes nothing: %s into %s', async (source, other) => {
    const targetBranch = await target(`into-${source}`, await tip(other));
    const { iid } = await createMergeRequest(source, targetBranch);
    const before = await git(repository, 'count-objects');
    expect(await as(bob).put(`${list}/${iid}/merge`, { sha: '1'.repeat(40) })).toEqual(conflict);
    expect(await as(bob).put(`${list}/${iid}/merge`)).toEqual(conflict);
    expect(await show(iid)).toMatchObject({ state: 'opened', merge_status: 'cannot_be_merged' });
    expect(await tip(targetBranch)).toBe(await tip(other));
    expect(await git(repository, 'count-objects')).toBe(before);
  });

  test('refuses an unexpected head commit', async () => {
    const { iid } = await createMergeRequest('two', await target('into-sha'));
    expect(await as(bob).put(`${list}/${iid}/merge`, { sha: start })).toEqual(
      refused.conflict(`SHA does not match HEAD of source branch: ${second}`),
    );
    expect((await as(bob).put(`${list}/${iid}/merge`, { sha: second })).status).toBe(200);
  });

  test('rejects closed, merged and draft merge requests, and those without commits or branch', async () => {
    const targetBranch = await target('into-refusals');
    const { iid } = await createMergeRequest('two', targetBranch, { title: 'WIP: Two' });
    const path = `${list}/${iid}`;
    expect(await as(bob).put(`${path}/merge`)).toEqual(notAllowed);
    await as(bob).put(path, { title: 'Two', state_event: 'close' });
    expect(await as(bob).put(`${path}/merge`)).toEqual(notAllowed);
    await as(bob).put(path, { state_event: 'reopen' });
    expect((await as(bob).put(`${path}/merge`)).status).toBe(200);
    expect(await as(bob).put(`${path}/merge`)).toEqual(notAllowed);

    const withoutCommits = await createMergeRequest(
      'top',
      await target('into-nothing', await tip('top')),
    );
    expect(await as(bob).put(`${list}/${withoutCommits.iid}/merge`)).toEqual(notAllowed);
    await target('vanishing', second);
    const orphan = await createMergeRequest('vanishing', await target('into-orphan'));
    await git(repository, 'branch', '-D', 'vanishing');
    expect(await as(bob).put(`${list}/${orphan.iid}/merge`)).toEqual(notAllowed);
    const homeless = await createMergeRequest('two', await target('into-homeless'));
    await git(repository, 'branch', '-D', 'into-homeless');
    expect(await as(bob).put(`${list}/${homeless.iid}/merge`)).toEqual(notAllowed);
  });

  test('waits for a required pipeline', async () => {
    await as(ada).put(`/projects/${app}`, { only_allow_merge_if_pipeline_succeeds: true });
    const { iid } = await createMergeRequest('two', await target('into-tried'));
    const path = `${list}/${iid}/merge`;
    const setStatus = (state: string) =>
      as(bob).post(`/projects/${app}/statuses/${second}`, { state, name: 'ci', ref: 'two' });
    expect(await as(bob).put(path)).toEqual(notAllowed);
    await setStatus('failed');
    expect(await as(bob).put(path)).toEqual(notAllowed);
    await setStatus('running');
    expect(await as(bob).put(path)).toEqual(notAllowed);
    const waiting = await as(bob).put(path, {
      merge_when_pipeline_succeeds: true,
      should_remove_source_branch: true,
    });
    expect(waiting).toMatchObject({
      status: 200,
      body: {
        state: 'opened',
        merge_when_pipeline_succeeds: true,
        should_remove_source_branch: true,
      },
    });
    const cancel = `${list}/${iid}/cancel_merge_when_pipeline_succeeds`;
    expect(await as(carl).put(cancel)).toEqual(refused.anonymous);
    expect(await as(bob).put(cancel)).toMatchObject({
      status: 200,
      body: { merge_when_pipeline_succeeds: false, should_remove_source_branch: null },
    });
    expect(await as(bob).post(cancel)).toEqual({
      status: 406,
      body: { message: "Can't cancel the automatic merge" },
    });
    await setStatus('success');
    expect((await as(bob).put(path, { merge_when_pipeline_succeeds: true })).body).toMatchObject({
      state: 'merged',
    });
    await as(ada).put(`/projects/${app}`, { only_allow_merge_if_pipeline_succeeds: false });
  });

  test('closes the issues that the description names', async () => {
    const { body: issue } = await as(bob).post(`/projects/${app}/issues`, { title: 'Broken' });
    const { iid: number, id } = issue as { iid: number; id: number };
    await git(repository, 'branch', '--force', 'master', start);
    const { iid } = await createMergeRequest('two', 'master', { description: `Closes #${number}` });
    expect((await as(bob).put(`${list}/${iid}/merge`)).status).toBe(200);
    expect((await as(bob).get(`/projects/${app}/issues/${number}`)).body).toMatchObject({
      state: 'closed',
    });
    const notes = await db.note.findMany({ where: { issueId: id } });
    expect(notes.map(({ body }) => body)).toEqual([`closed via merge request !${iid}`]);
    await git(repository, 'branch', '--force', 'master', start);
  });

  test('requires push access to the target, or a protection rule that allows merging', async () => {
    const { iid } = await createMergeRequest('two', await target('guarded'));
    const path = `${list}/${iid}/merge`;
    expect(await as(null).put(path)).toEqual(refused.anonymous);
    expect(await as(dora).put(path)).toEqual(refused.missing('Project'));
    expect(await as(carl).put(path)).toEqual(refused.anonymous);
    const rule = await db.protectedBranch.create({
      data: { projectId: app, name: 'guarded', pushAccessLevel: 40, mergeAccessLevel: 40 },
    });
    expect(await as(bob).put(path)).toEqual(refused.anonymous);
    const data = { pushAccessLevel: 0, mergeAccessLevel: 0 };
    await db.protectedBranch.update({ where: { id: rule.id }, data });
    expect(await as(ada).put(path)).toEqual(refused.anonymous);
    await db.protectedBranch.update({ where: { id: rule.id }, data: { mergeAccessLevel: 30 } });
    // the rule allows merging only
    const pushed = await tryGit(folder, 'push', remote('ada/app', bob), `${second}:guarded`);
    expect(pushed.stderr).toContain('You are not allowed to push code to protected branches');
    expect((await as(bob).put(path)).status).toBe(200);
  });

  test('malformed parameters are rejected, and a missing merge request responds with 404', async () => {
    const { iid } = await createMergeRequest('two', await target('into-odd'));
    expect(await as(bob).put(`${list}/x/merge`)).toEqual(
      refused.parameter('merge_request_iid is invalid'),
    );
    expect(await as(bob).put(`${list}/99999/merge`)).toEqual(refused.record);
    for (const name of ['should_remove_source_branch', 'merge_when_pipeline_succeeds']) {
      expect(await as(bob).put(`${list}/${iid}/merge`, { [name]: 'perhaps' })).toEqual(
        refused.parameter(`${name} is invalid`),
      );
    }
    expect(await as(bob).put(`${list}/${iid}/merge`, { merge_commit_message: 'a\0b' })).toEqual(
      refused.parameter('merge_commit_message is invalid'),
    );
  });
});

describe('GET /projects/:id/merge_requests/:iid/commits and changes', () => {
  test('list its commits and changes, the newest first, unchanged after the merge', async () => {
    const targetBranch = await target('into-look');
    await target('looked', second);
    const mergeRequest = await createMergeRequest('looked', targetBranch);
    const fetchChanges = async () => ({
      commits: await as(carl).get(`${list}/${mergeRequest.iid}/commits`),
      changes: (
        (await as(carl).get(`${list}/${mergeRequest.iid}/changes`)).body as { changes: unknown }
      ).changes,
    });
    const open = await fetchChanges();
    expect(open.commits.status).toBe(200);
    expect((open.commits.body as Offered[]).map(({ title }) => title)).toEqual([
      'Second of two',
      'Change two',
    ]);
    expect(
      await as(carl).get(`${list}/${mergeRequest.iid}/commits?per_page=1&page=2`),
    ).toMatchObject({
      status: 200,
      body: [{ title: 'Change two' }],
    });
    const added = (name: string) => ({
      old_path: `${name}.txt`,
      new_path: `${name}.txt`,
      a_mode: '0',
      b_mode: '100644',
      new_file: true,
      renamed_file: false,
      deleted_file: false,
      diff: `--- /dev/null\n+++ b/${name}.txt\n@@ -0,0 +1 @@\n+${name}\n`,
    });
    expect(open.changes).toEqual([added('d'), added('e')]);
    const diffs = await as(carl).fetch(`${list}/${mergeRequest.iid}/diffs?per_page=1&page=2`);
    expect([diffs.headers.get('X-Total'), await diffs.json()]).toEqual(['2', [added('e')]]);
    expect((await as(bob).get(`${list}/${mergeRequest.iid}/changes`)).body).toEqual({
      ...(await show(mergeRequest.iid)),
      changes: [added('d'), added('e')],
    });
    await as(bob).put(`${list}/${mergeRequest.iid}/merge`, { should_remove_source_branch: true });
    await git(repository, 'branch', '-D', targetBranch);
    expect(await fetchChanges()).toEqual(open);
  });

  test('a closed merge request shows its former changes, even if its branches change', async () => {
    const targetBranch = await target('into-closed');
    await target('closing', second);
    const { iid } = await createMergeRequest('closing', targetBranch);
    const open = await as(bob).get(`${list}/${iid}/commits`);
    await as(bob).put(`${list}/${iid}`, { state_event: 'close' });
    await git(repository, 'branch', '-D', 'closing');
    await git(repository, 'branch', '--force', targetBranch, second);
    expect(await as(bob).get(`${list}/${iid}/commits`)).toEqual(open);
  });

  test('require read access to the code', async () => {
    const { iid } = await createMergeRequest('two', await target('into-hidden'));
    for (const resource of ['commits', 'changes', 'diffs']) {
      expect(await as(null).get(`${list}/${iid}/${resource}`)).toEqual(refused.missing('Project'));
      expect(await as(dora).get(`${list}/${iid}/${resource}`)).toEqual(refused.missing('Project'));
      expect(await as(bob).get(`${list}/9999/${resource}`)).toEqual(refused.record);
    }
  });
});
