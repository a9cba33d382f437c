import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Client, clientOf } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { commit, git, temporaryFolder, tryGit, workTree } from '../../support/git.ts';
import { deleteAfterTest, killable, remoteOf } from '../../support/killable.ts';
import { rootToken, type ServerProcess } from '../../support/process.ts';
import { gitWith, type SshKeyPair, sshKeyPair } from '../../support/ssh.ts';

/** Writes that the server acknowledged before the kill. */
interface Acknowledged {
  readonly projects: string[];
  /** Project → the acknowledged SHA of its branch. */
  readonly pushes: Map<string, string>;
}

type Push = (folder: string, path: string) => Promise<{ readonly code: number }>;

const overHttp =
  (server: ServerProcess): Push =>
  (folder, path) =>
    tryGit(folder, 'push', '--quiet', remoteOf(server, path), 'master');

const overSsh =
  (port: number, key: SshKeyPair): Push =>
  (folder, path) =>
    gitWith(key, folder, 'push', '-q', `ssh://git@localhost:${port}/root/${path}.git`, 'master');

/** A key pair of root. */
async function keyOfRoot(api: Client): Promise<SshKeyPair> {
  const key = await sshKeyPair(deleteAfterTest(await temporaryFolder()));
  const added = await api.post('/user/keys', { title: 'test', key: key.publicKey });
  expect(added.status).toBe(201);
  return key;
}

/** Creates projects and pushes to them, one after the other, until the server is killed. */
async function work(api: Client, push: Push, worker: number, acknowledged: Acknowledged) {
  const folder = deleteAfterTest(await workTree({ 'README.md': `worker ${worker}` }));
  for (let round = 0; ; round += 1) {
    const path = `p-${worker}-${round}`;
    const created = await api.post('/projects', { path }).catch(() => null);
    if (created?.status !== 201) return;
    acknowledged.projects.push(path);
    for (let count = 0; count < 2; count += 1) {
      const sha = await commit(folder, { 'count.txt': `${round} ${count}` }, `Round ${round}`);
      if ((await push(folder, path)).code !== 0) return;
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
    const sshPort = await freePort();
    const { start, dataFolder } = await killable({ MILLRACE_SSH_PORT: String(sshPort) });
    const first = await start();
    const acknowledged: Acknowledged = { projects: [], pushes: new Map() };
    const api = clientOf(first.url, rootToken);
    const [http, ssh] = [overHttp(first), overSsh(sshPort, await keyOfRoot(api))];
    const pushes = [http, ssh, http, ssh];
    const workers = pushes.map((push, worker) => work(api, push, worker, acknowledged));
    // kill during the work, after every worker has acknowledged writes
    const counts = () =>
      pushes.map((_, n) => [...acknowledged.pushes.keys()].filter((p) => p.startsWith(`p-${n}-`)));
    await expect.poll(() => Math.min(...counts().map(({ length }) => length))).toBeGreaterThan(1);
    await first.kill('SIGKILL', target);
    await Promise.all(workers);

    const second = await start();
    const after = clientOf(second.url, rootToken);
    for (const path of acknowledged.projects) {
      expect(await after.get(`/projects/root%2F${path}`)).toMatchObject({ status: 200 });
    }
    for (const [path, sha] of acknowledged.pushes) {
      const remote = remoteOf(second, path);
      const refs = await git(dataFolder, 'ls-remote', remote, 'refs/heads/master');
      // a later push may have succeeded without a response
      expect(refs).toMatch(/^[0-9a-f]{40}\trefs\/heads\/master$/);
      const clone = deleteAfterTest(await temporaryFolder());
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
