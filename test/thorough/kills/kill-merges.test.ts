import { expect, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { commit, git, tryGit, workTree } from '../../support/git.ts';
import { deleteAfterTest, killable, remoteOf } from '../../support/killable.ts';
import { rootToken } from '../../support/process.ts';

interface MergeRequest {
  readonly iid: number;
  readonly state: string;
  readonly sha: string;
  readonly merge_commit_sha: string | null;
}

test('after kill -9 during merges, each merge request is either merged or open', async () => {
  const { start } = await killable();
  const folder = deleteAfterTest(await workTree({ 'a.txt': 'a\n' }));
  const first = await start();
  const api = clientOf(first.url, rootToken);
  const project = '/projects/root%2Fapp';
  expect((await api.post('/projects', { path: 'app' })).status).toBe(201);
  const names = Array.from({ length: 16 }, (_, index) => `topic-${index}`);
  for (const name of names) {
    await git(folder, 'checkout', '--quiet', '-b', name, 'master');
    await commit(folder, { [`${name}.txt`]: name }, name);
  }
  const remote = remoteOf(first, 'app');
  await git(folder, 'push', '--quiet', remote, '--all');
  for (const name of names) {
    const body = { source_branch: name, target_branch: 'master', title: name };
    expect((await api.post(`${project}/merge_requests`, body)).status).toBe(201);
  }

  const acknowledged = new Map<number, string | null>();
  const merge = async (iid: number) => {
    const path = `${project}/merge_requests/${iid}/merge`;
    const response = await api.put(path).catch(() => null);
    if (response?.status !== 200) return;
    acknowledged.set(iid, (response.body as MergeRequest).merge_commit_sha);
  };
  const merging = names.map((_, index) => merge(index + 1));
  await expect.poll(() => acknowledged.size).toBeGreaterThan(3);
  await first.kill('SIGKILL', 'node');
  await Promise.all(merging);

  const second = await start();
  const after = clientOf(second.url, rootToken);
  const all = async () =>
    (await after.get(`${project}/merge_requests?per_page=100`)).body as readonly MergeRequest[];
  const clone = async () => {
    await git(folder, 'fetch', '--quiet', remote, '+master:refs/remotes/origin/master');
    const merges = await git(folder, 'rev-list', '--merges', '--parents', 'origin/master');
    return new Map(
      merges.split('\n').map((line) => {
        const [id = '', , head = ''] = line.split(' ');
        return [head, id] as const;
      }),
    );
  };
  const truth = await clone();
  const isTrue = ({ state, sha, merge_commit_sha }: MergeRequest) =>
    truth.has(sha)
      ? state === 'merged' && merge_commit_sha === truth.get(sha)
      : state === 'opened' || state === 'locked';
  await expect
    .poll(async () => (await all()).filter((mergeRequest) => !isTrue(mergeRequest)), {
      timeout: 30_000,
    })
    .toEqual([]);
  const mergeRequests = await all();
  expect(mergeRequests).toHaveLength(names.length);
  for (const [iid, id] of acknowledged) {
    expect(mergeRequests.find((mergeRequest) => mergeRequest.iid === iid)).toMatchObject({
      merge_commit_sha: id,
    });
  }
  const stillOpen = mergeRequests.filter(({ state }) => state === 'opened');
  for (const { iid } of stillOpen) {
    expect((await after.put(`${project}/merge_requests/${iid}/merge`)).status).toBe(200);
  }
  expect((await tryGit(folder, 'fetch', remote, 'master')).code).toBe(0);
}, 120_000);
