import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { placed, pushable } from '../../fixtures/odd-commits.ts';
import { git, workTree } from '../../support/git.ts';
import { type OddCommit, writeOdd } from '../../support/raw-objects.ts';
import { receiver } from '../../support/receiver.ts';
import { failedViews } from '../../support/repository-views.ts';
import { world } from '../../support/world.ts';

const { as, seed, url, db, dataFolder, remote } = await world({
  variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'true' },
});
const ada = await seed.user('ada');
await seed.group('acme', { owner: ada });
const hook = await receiver();

const ci = 'test:\n  script: make\n';
const files = { 'README.md': 'text\n', '.gitlab-ci.yml': ci };

/** A work tree whose branch `odd` has the commits in a line, each with a file of its own. */
async function history(commits: readonly OddCommit[]) {
  const folder = await workTree(files);
  const ids: string[] = [];
  let parent = await git(folder, 'rev-parse', 'HEAD');
  for (const [index, odd] of commits.entries()) {
    const blob = await git(folder, 'rev-parse', 'HEAD:README.md');
    for (const path of [`odd-${index}.txt`, `odd/${index}.txt`])
      await git(folder, 'update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
    parent = await writeOdd(folder, await git(folder, 'write-tree'), parent, odd);
    ids.push(parent);
    await git(folder, 'update-ref', `refs/heads/b${index}`, parent);
    await git(folder, 'update-ref', `refs/tags/t${index}`, parent);
  }
  await git(folder, 'update-ref', 'refs/heads/odd', parent);
  return { folder, ids };
}

const projectOf = async (path: string) => {
  const { id } = await seed.project(`acme/${path}`);
  await as(ada).post(`/projects/${id}/hooks`, {
    url: `${hook.url}/${path}`,
    push_events: true,
    tag_push_events: true,
    merge_requests_events: true,
  });
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return { id, bare: join(dataFolder, 'repositories', `${diskPath}.git`) };
};

const pipelineOf = (projectId: number, sha: string | undefined) => () =>
  db.pipeline.count({ where: { projectId, sha: sha ?? '' } });

describe('a push of commits with odd headers', async () => {
  const { id } = await projectOf('pushed');
  const { folder, ids } = await history(pushable);
  const names = pushable.map((_, index) => index);

  test('is settled, with its events, hooks, pipelines and merge requests', async () => {
    await git(folder, 'push', '--quiet', remote('acme/pushed', ada), 'master');
    await git(
      folder,
      ...['push', '--quiet', '-o', 'merge_request.create'],
      ...[remote('acme/pushed', ada), 'odd'],
    );
    expect(await db.push.count()).toBe(0);
    await expect.poll(pipelineOf(id, ids.at(-1))).toBe(1);
    for (let at = 0; at < ids.length; at += 20) {
      const some = names.slice(at, at + 20).flatMap((n) => [`refs/heads/b${n}`, `refs/tags/t${n}`]);
      await git(folder, 'push', '--quiet', remote('acme/pushed', ada), ...some);
    }
    // as the default branch
    await git(folder, 'push', '--quiet', remote('acme/pushed', ada), 'odd:master');
    expect(await db.push.count()).toBe(0);
    for (const sha of ids) await expect.poll(pipelineOf(id, sha)).toBeGreaterThan(0);
    expect(await db.event.count({ where: { projectId: id, action: 'pushed' } })).toBe(
      3 + 2 * ids.length,
    );
    await expect
      .poll(() => hook.received.filter(({ path }) => path === '/pushed').length)
      .toBeGreaterThanOrEqual(3 + 2 * ids.length);
    await expect
      .poll(() => db.mergeRequest.findMany({ where: { projectId: id } }))
      .toMatchObject([{ state: 'merged', iid: 1 }]);
  }, 300_000);

  test('breaks no list or page', async () => {
    const viewed = {
      commits: ids,
      branches: names.map((n) => `b${n}`),
      tags: names.map((n) => `t${n}`),
      files: names.map((n) => `odd-${n}.txt`),
      iids: [1],
    };
    expect(
      await failedViews({ as, url }, { id, fullPath: 'acme/pushed', viewer: ada, ...viewed }),
    ).toEqual([]);
  }, 300_000);

  test('shows every commit, with its message as far as it can be read', async () => {
    const { body } = await as(ada).get(`/projects/${id}/repository/commits?per_page=100`);
    const commits = body as { id: string; title: string; author_email: string }[];
    expect(commits.map((commit) => commit.id)).toEqual([
      ...ids.toReversed(),
      await git(folder, 'rev-parse', 'master'),
    ]);
    const titleOf = (title: string) =>
      commits.find((commit) => commit.id === ids[pushable.findIndex((odd) => odd.title === title)])
        ?.title;
    for (const label of ['UTF-16', 'utf-16le', 'UTF-32', 'UTF-7', 'iso-2022-kr', 'replacement'])
      expect(titleOf(`labelled ${label}`)).toBe(`labelled ${label}`);
    expect(titleOf('declared UTF-8')).toBe('declared é');
    expect(titleOf('no message')).toBe('--no commit message');
  });
});

describe('a repository with commits that a push cannot contain', async () => {
  const { id, bare } = await projectOf('placed');
  const { folder, ids } = await history(placed);
  const names = placed.map((_, index) => index);

  test('shows all of them in every list and page', async () => {
    await git(folder, 'push', '--quiet', remote('acme/placed', ada), 'master');
    await git(
      bare,
      'fetch',
      '--quiet',
      folder,
      'refs/heads/*:refs/heads/*',
      'refs/tags/*:refs/tags/*',
    );
    await git(bare, 'update-ref', 'refs/heads/master', ids.at(-1) ?? '');
    const merge = { source_branch: 'odd', target_branch: 'base', title: 'Odd' };
    await as(ada).post(`/projects/${id}/repository/branches`, {
      branch: 'base',
      ref: await git(folder, 'rev-parse', 'master'),
    });
    expect((await as(ada).post(`/projects/${id}/merge_requests`, merge)).status).toBe(201);
    const viewed = {
      commits: ids,
      branches: names.map((n) => `b${n}`),
      tags: names.map((n) => `t${n}`),
      files: names.map((n) => `odd-${n}.txt`),
      iids: [1],
    };
    expect(
      await failedViews({ as, url }, { id, fullPath: 'acme/placed', viewer: ada, ...viewed }),
    ).toEqual([]);
    const { body } = await as(ada).get(`/projects/${id}/repository/commits?per_page=100`);
    expect(body).toHaveLength(ids.length + 1);
  }, 300_000);
});
