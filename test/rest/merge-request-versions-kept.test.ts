import { describe, expect, test } from 'vitest';
import { startThread } from '../support/discussions.ts';
import { commit, git, tryGit } from '../support/git.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import { versionedWorld } from '../support/versioned-world.ts';

const { as, ada, bob, app, folder, start, db, url, remote, repository, ...near } =
  await versionedWorld();
const { branch, push, createMergeRequest, versionsOf, versionsWith } = near;
const request = graphqlClientOf(url);

const refOf = (iid: number) => `refs/merge-request-versions/${iid}`;
const parentsOf = async (iid: number) =>
  (await git(repository, 'log', '-1', '--format=%P', refOf(iid))).split(' ').toSorted();
const isThere = async (name: string) =>
  (await tryGit(repository, 'rev-parse', '--verify', '--quiet', name)).code === 0;
/** Replaces the head of a branch by another commit on the same start, and gives it. */
const replace = async (name: string, path: string) => {
  const sha = await branch(name, path);
  await push(name);
  return sha;
};
const shown = async (versions: string, id: number | undefined) =>
  (await as(bob).get(`${versions}/${id}`)).body as {
    readonly commits: readonly { readonly id: string }[];
    readonly diffs: readonly { readonly new_path: string }[];
  };

describe('the heads of former versions', () => {
  test('are kept after force pushes and garbage collection', async () => {
    const { iid, head, path, versions } = await createMergeRequest('forced');
    expect(await isThere(refOf(iid))).toBe(false);
    const second = await replace('forced', 'second.txt');
    await versionsWith(versions, second, head);
    const third = await replace('forced', 'third.txt');
    const [, middle, oldest] = await versionsWith(versions, third, second, head);
    expect(await parentsOf(iid)).toEqual([head, second].toSorted());
    expect((await as(bob).put(path, { state_event: 'close' })).status).toBe(200);
    await push(':refs/heads/forced', ':refs/heads/into-forced');
    await git(repository, 'gc', '--quiet', '--prune=now');
    expect(await shown(versions, oldest?.id)).toMatchObject({
      commits: [{ id: head }],
      diffs: [{ new_path: 'forced.txt' }],
    });
    expect(await shown(versions, middle?.id)).toMatchObject({
      commits: [{ id: second }],
      diffs: [{ new_path: 'second.txt' }],
    });
    await git(repository, 'fsck', '--full', '--no-dangling');
  });

  test('need no reference while the head contains them', async () => {
    const { iid, head, versions } = await createMergeRequest('growing');
    const second = await commit(folder, { 'grown.txt': 'grown\n' }, 'Grow');
    await push('growing');
    await versionsWith(versions, second, head);
    expect(await isThere(refOf(iid))).toBe(false);
    await push(`${head}:refs/heads/growing`);
    await versionsWith(versions, head, second, head);
    expect(await parentsOf(iid)).toEqual([second]);
    await push(`${second}:refs/heads/growing`);
    await versionsWith(versions, second, head, second, head);
    expect(await isThere(refOf(iid))).toBe(false);
  });

  test('are neither shown to clients nor changed by them', async () => {
    const { iid, head, versions } = await createMergeRequest('hidden');
    const second = await replace('hidden', 'next.txt');
    await versionsWith(versions, second, head);
    const ref = refOf(iid);
    expect(await isThere(ref)).toBe(true);
    const from = remote('ada/app', bob);
    for (const version of ['0', '2']) {
      const listed = await git(folder, '-c', `protocol.version=${version}`, 'ls-remote', from);
      expect(listed).toContain(`refs/merge-requests/${iid}/head`);
      expect(listed).not.toContain('refs/merge-request-versions');
    }
    expect((await tryGit(folder, 'fetch', from, ref)).code).not.toBe(0);
    const pushed = await tryGit(folder, 'push', '--force', from, `${start}:${ref}`);
    expect(pushed.stderr).toContain('deny updating a hidden ref');
    expect((await tryGit(folder, 'push', from, `:${ref}`)).code).not.toBe(0);
    expect(await parentsOf(iid)).toEqual([head]);
  });

  test('are kept of the last hundred versions', async () => {
    const { id, iid, head, versions } = await createMergeRequest('often');
    await versionsWith(versions, head);
    const earlier = await branch('earlier', 'earlier.txt');
    const forgotten = await branch('forgotten', 'forgotten.txt');
    await push('earlier', 'forgotten');
    const rows = (headSha: string, count: number) =>
      Array.from({ length: count }, () => ({ mergeRequestId: id, headSha, changedFiles: 1 }));
    await db.mergeRequestVersion.createMany({ data: rows(forgotten, 3) });
    await db.mergeRequestVersion.createMany({ data: rows(earlier, 99) });
    const next = await replace('often', 'next.txt');
    const newest = async () => (await versionsOf(versions))[0]?.head_commit_sha;
    await expect.poll(newest, { timeout: 60_000 }).toBe(next);
    const left = await db.mergeRequestVersion.groupBy({
      by: ['headSha'],
      where: { mergeRequestId: id },
      _count: true,
    });
    expect(new Map(left.map(({ headSha, _count }) => [headSha, _count]))).toEqual(
      new Map([
        [earlier, 99],
        [next, 1],
      ]),
    );
    const last = await replace('often', 'last.txt');
    await expect.poll(newest, { timeout: 60_000 }).toBe(last);
    expect(await parentsOf(iid)).toEqual([earlier, next].toSorted());
  });

  test('are kept again if a kill or a restored backup lost the reference', async () => {
    const { iid, head, versions } = await createMergeRequest('lost');
    const second = await replace('lost', 'second.txt');
    await versionsWith(versions, second, head);
    await git(repository, 'update-ref', '-d', refOf(iid));
    const third = await replace('lost', 'third.txt');
    await versionsWith(versions, third, second, head);
    expect(await parentsOf(iid)).toEqual([head, second].toSorted());
  });

  test('are released with the merge request, at the latest by housekeeping', async () => {
    const { iid, head, path, versions } = await createMergeRequest('deleted');
    const second = await replace('deleted', 'second.txt');
    await versionsWith(versions, second, head);
    expect((await as(ada).delete(path)).status).toBe(204);
    expect(await isThere(refOf(iid))).toBe(false);
    await git(repository, 'update-ref', refOf(4242), start);
    expect((await as(ada).post(`/projects/${app}/housekeeping`)).status).toBe(201);
    await expect.poll(() => isThere(refOf(4242)), { timeout: 60_000 }).toBe(false);
  });
});

describe('a merge request of a version of Millrace without versions', () => {
  test('has one for its head, when it is read or by the backfill', async () => {
    const { id, head, versions } = await createMergeRequest('old');
    const [version] = await versionsWith(versions, head);
    const forget = () => db.mergeRequestVersion.deleteMany({ where: { mergeRequestId: id } });
    const { createdAt } = await db.mergeRequest.findUniqueOrThrow({ where: { id } });
    const same = { ...version, id: expect.any(Number), created_at: createdAt.toISOString() };
    await forget();
    expect(await versionsOf(versions)).toEqual([same]);
    await forget();
    await db.mergeRequestCommitBackfill.create({ data: { lastId: id } });
    const recorded = () =>
      db.mergeRequestVersion.count({ where: { mergeRequestId: id, changedFiles: 1 } });
    await expect.poll(recorded, { timeout: 60_000 }).toBe(1);
  });

  test('keeps its head if a force push comes first', async () => {
    const { id, iid, head, versions } = await createMergeRequest('older');
    await versionsWith(versions, head);
    await db.mergeRequestVersion.deleteMany({ where: { mergeRequestId: id } });
    const second = await replace('older', 'second.txt');
    await versionsWith(versions, second, head);
    expect(await parentsOf(iid)).toEqual([head]);
  });
});

describe('a position in the diff of a former version', () => {
  test('can be commented on, and leads to the version', async () => {
    const { iid, head, path, versions } = await createMergeRequest('outdated');
    const target = await branch('into-outdated', 'target.txt');
    await push('into-outdated');
    const second = await replace('outdated', 'second.txt');
    await versionsWith(versions, second, head);
    const third = await replace('outdated', 'third.txt');
    const [, middle] = await versionsWith(versions, third, second, head);
    // the start of the second version is gone
    await push(`+${start}:refs/heads/into-outdated`);
    await git(repository, 'gc', '--quiet', '--prune=now');
    expect(await isThere(`${target}^{commit}`)).toBe(false);
    const position = {
      base_sha: start,
      start_sha: target,
      head_sha: second,
      position_type: 'text',
      new_path: 'second.txt',
      new_line: 1,
    };
    await startThread(as(bob), path, { position });
    const { body } = await request(
      bob,
      `query Positions($project: ID!, $iid: Int!) { project(id: $project) {
        mergeRequest(iid: $iid) {
          versions { total nodes { id state headSha } }
          discussions { nodes { firstNote { thread { position { headSha version { id } } } } } }
        } } }`,
      { project: String(app), iid },
    );
    const id = `MergeRequestVersion:${middle?.id}`;
    expect(body.data?.project).toMatchObject({
      mergeRequest: {
        versions: { total: 3, nodes: [{ headSha: third }, { id, state: 'COLLECTED' }, {}] },
        discussions: {
          // beside system notes
          nodes: expect.arrayContaining([
            { firstNote: { thread: { position: { headSha: second, version: { id } } } } },
          ]),
        },
      },
    });
    const unknown = await as(bob).post(`${path}/discussions`, {
      body: 'Here',
      position: { ...position, start_sha: third, head_sha: await branch('never', 'never.txt') },
    });
    expect(unknown.status).toBe(400);
  });
});
