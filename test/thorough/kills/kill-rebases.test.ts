import { expect, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { commit, git, workTree } from '../../support/git.ts';
import { deleteAfterTest, killable, remoteOf } from '../../support/killable.ts';
import { rootToken } from '../../support/process.ts';

test('after kill -9 during rebases, each branch has its old or its new head, and the rebases end', async () => {
  const { start } = await killable();
  const folder = deleteAfterTest(await workTree({ 'a.txt': 'a\n' }));
  const first = await start();
  const api = clientOf(first.url, rootToken);
  const project = '/projects/root%2Fapp';
  expect((await api.post('/projects', { path: 'app' })).status).toBe(201);
  const names = Array.from({ length: 12 }, (_, index) => `topic-${index}`);
  const heads = new Map<string, string>();
  for (const name of names) {
    await git(folder, 'checkout', '--quiet', '-b', name, 'master');
    await commit(folder, { [`${name}.txt`]: name }, `First of ${name}`);
    heads.set(name, await commit(folder, { [`${name}.txt`]: '2' }, `Second of ${name}`));
  }
  await git(folder, 'checkout', '--quiet', 'master');
  const base = await commit(folder, { 'b.txt': 'b\n' }, 'Next');
  const remote = remoteOf(first, 'app');
  await git(folder, 'push', '--quiet', remote, '--all');
  for (const name of names) {
    const body = { source_branch: name, target_branch: 'master', title: name };
    expect((await api.post(`${project}/merge_requests`, body)).status).toBe(201);
  }

  const tips = async () => {
    const list = await git(folder, 'ls-remote', '--heads', remote);
    return new Map(
      list.split('\n').map((line) => {
        const [sha = '', ref = ''] = line.split('\t');
        return [ref.replace('refs/heads/', ''), sha] as const;
      }),
    );
  };
  const moved = async () => {
    const now = await tips();
    return names.filter((name) => now.get(name) !== heads.get(name));
  };
  for (const index of names.keys()) {
    const path = `${project}/merge_requests/${index + 1}/rebase`;
    expect((await api.put(path)).status).toBe(202);
  }
  await expect.poll(async () => (await moved()).length, { timeout: 60_000 }).toBeGreaterThan(0);
  await first.kill('SIGKILL', 'node');

  const second = await start();
  const after = clientOf(second.url, rootToken);
  const isRebasing = async (index: number) => {
    const path = `${project}/merge_requests/${index + 1}?include_rebase_in_progress=true`;
    const { body } = await after.get(path);
    return body as { readonly rebase_in_progress: boolean; readonly merge_error: string | null };
  };
  for (const index of names.keys()) {
    await expect
      .poll(() => isRebasing(index), { timeout: 120_000 })
      .toMatchObject({ rebase_in_progress: false, merge_error: null });
  }
  await git(folder, 'fetch', '--quiet', remote, '+refs/heads/*:refs/remotes/origin/*');
  for (const name of names) {
    const log = await git(folder, 'log', '--format=%s', `${base}..origin/${name}`);
    expect(log).toBe(`Second of ${name}\nFirst of ${name}`);
    expect(await git(folder, 'rev-parse', `origin/${name}~2`)).toBe(base);
  }
}, 240_000);
