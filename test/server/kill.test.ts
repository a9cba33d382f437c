import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Client, clientOf } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { commit, git, tryGit, workTree } from '../support/git.ts';
import { rootToken, type ServerProcess, startProcess } from '../support/process.ts';

/** Writes that the server acknowledged before the kill. */
interface Acknowledged {
  readonly projects: string[];
  /** Project → the acknowledged SHA of its branch. */
  readonly pushes: Map<string, string>;
}

const folders: string[] = [];
const running: ServerProcess[] = [];

afterAll(async () => {
  await Promise.all(running.map((server) => server.kill('SIGKILL')));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

const start = async (port: number, dataFolder: string) => {
  const server = await startProcess(port, { MILLRACE_DATA: dataFolder });
  running.push(server);
  return server;
};

/** Creates projects and pushes to them, one after the other, until the server is killed. */
async function work(api: Client, url: string, worker: number, acknowledged: Acknowledged) {
  const folder = await workTree({ 'README.md': `worker ${worker}` });
  folders.push(folder);
  for (let round = 0; ; round += 1) {
    const path = `p-${worker}-${round}`;
    const created = await api.post('/projects', { path }).catch(() => null);
    if (created?.status !== 201) return;
    acknowledged.projects.push(path);
    const remote = url.replace('://', `://root:${rootToken}@`);
    for (let push = 0; push < 2; push += 1) {
      const sha = await commit(folder, { 'count.txt': `${round} ${push}` }, `Round ${round}`);
      const { code } = await tryGit(
        folder,
        'push',
        '--quiet',
        `${remote}/root/${path}.git`,
        'master',
      );
      if (code !== 0) return;
      acknowledged.pushes.set(path, sha);
    }
  }
}

/** Every repository on the disk, by the folder's name. */
async function repositoriesIn(dataFolder: string): Promise<readonly string[]> {
  const root = join(dataFolder, 'repositories');
  const entries = await readdir(root, { recursive: true });
  return entries.filter((entry) => /^..\/..\/[0-9a-f]{32}\.git$/.test(entry));
}

describe.each(['group', 'node'] as const)('kill -9 of the %s', (target) => {
  test('loses no acknowledged write, and the next start needs no manual step', async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-kill-'));
    folders.push(dataFolder);
    const port = await freePort();
    const first = await start(port, dataFolder);
    const acknowledged: Acknowledged = { projects: [], pushes: new Map() };
    const api = clientOf(first.url, rootToken);
    const workers = [0, 1, 2, 3].map((worker) => work(api, first.url, worker, acknowledged));
    // kill during the work, after every worker has an acknowledged write
    await expect.poll(() => acknowledged.pushes.size).toBeGreaterThan(8);
    await first.kill('SIGKILL', target);
    await Promise.all(workers);

    const second = await start(port, dataFolder);
    const after = clientOf(second.url, rootToken);
    for (const path of acknowledged.projects) {
      expect(await after.get(`/projects/root%2F${path}`)).toMatchObject({ status: 200 });
    }
    for (const [path, sha] of acknowledged.pushes) {
      const remote = `${second.url.replace('://', `://root:${rootToken}@`)}/root/${path}.git`;
      const refs = await git(dataFolder, 'ls-remote', remote, 'refs/heads/master');
      // a later push may have succeeded without a response
      expect(refs).toMatch(/^[0-9a-f]{40}\trefs\/heads\/master$/);
      const clone = await mkdtemp(join(tmpdir(), 'millrace-clone-'));
      folders.push(clone);
      await git(clone, 'clone', '--quiet', '--bare', remote, '.');
      await git(clone, 'merge-base', '--is-ancestor', sha, 'refs/heads/master');
      expect(await after.get(`/projects/root%2F${path}`)).toMatchObject({
        body: { default_branch: 'master' },
      });
    }
    const { body } = await after.get('/projects?per_page=1');
    expect(body).toHaveLength(1);
    const total = Number((await after.fetch('/projects?per_page=1')).headers.get('X-Total'));
    const repositories = await repositoriesIn(dataFolder);
    expect(repositories).toHaveLength(total);
    for (const repository of repositories) {
      const folder = join(dataFolder, 'repositories', repository);
      expect(await tryGit(folder, 'fsck', '--strict')).toMatchObject({ code: 0 });
    }
    expect(await second.kill('SIGTERM')).toBe(0);
  }, 120_000);
});
