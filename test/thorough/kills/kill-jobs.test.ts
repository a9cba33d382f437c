import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Client, clientOf } from '../../support/client.ts';
import { git, temporaryFolder, tryGit } from '../../support/git.ts';
import { deleteAfterTest, killable, remoteOf } from '../../support/killable.ts';
import { rootToken } from '../../support/process.ts';

const commits = 6_000;
const forks = 6;

/** A repository whose objects take a while to traverse. */
async function longHistory(): Promise<string> {
  const folder = deleteAfterTest(await temporaryFolder());
  await git(folder, 'init', '--quiet', '--bare');
  const importer = spawn('git', ['fast-import', '--quiet'], { cwd: folder, stdio: 'pipe' });
  for (let n = 1; n <= commits; n += 1) {
    importer.stdin.write(
      `commit refs/heads/master\ncommitter Ada <ada@example.com> ${1_500_000_000 + n} +0000\n` +
        `data 6\nchange\nM 644 inline folder-${n % 50}/file-${n % 500}\ndata ${String(n).length}\n${n}\n`,
    );
  }
  importer.stdin.end('done\n');
  await once(importer, 'close');
  await git(folder, 'tag', 'v1', 'master~10');
  return folder;
}

interface Project {
  readonly id: number;
  readonly import_status: string;
  readonly forks_count: number;
}

const statusOf = async (api: Client, path: string) =>
  ((await api.get(`/projects/root%2F${path}`)).body as Project).import_status;

const forked = Array.from({ length: forks }, (_, n) => `fork-${n}`);
const imported = ['import-0', 'import-1', 'import-2'];
const paths = [...forked, ...imported];

test('kill -9 during forks and imports leaves no partial state, and requests still succeed', async () => {
  const { start, dataFolder } = await killable({ MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' });
  const first = await start();
  const api = clientOf(first.url, rootToken);
  expect((await api.post('/projects', { path: 'large' })).status).toBe(201);
  const remote = (path: string) => remoteOf(first, path);
  const history = await longHistory();
  await git(history, 'push', '--quiet', remote('large'), 'master', 'v1');
  for (const path of forked) {
    const created = await api.post('/projects/root%2Flarge/fork', { path, name: path });
    expect(created).toMatchObject({ status: 201, body: { import_status: 'scheduled' } });
  }
  for (const path of imported) {
    const created = await api.post('/projects', { path, import_url: remote('large') });
    expect(created.status).toBe(201);
  }
  const leftovers = async (served: Client) => {
    const statuses = await Promise.all(paths.map((path) => statusOf(served, path)));
    return statuses.filter((status) => status !== 'finished').length;
  };
  // some have finished, others are running or pending
  await expect
    .poll(() => leftovers(api), { timeout: 60_000, interval: 20 })
    .toBeLessThan(paths.length);
  await first.kill('SIGKILL', 'node');

  const second = await start();
  const after = clientOf(second.url, rootToken);
  let remaining = await leftovers(after);
  expect(remaining).toBeGreaterThan(0);
  for (const until = Date.now() + 180_000; remaining > 0 && Date.now() < until; ) {
    const tree = await after.get('/projects/root%2Flarge/repository/tree');
    expect([tree.status, (tree.body as unknown[]).length]).toEqual([200, 20]);
    remaining = await leftovers(after);
  }
  expect(remaining).toBe(0);

  const refs = await git(history, 'for-each-ref', '--format=%(objectname) %(refname)');
  const root = join(dataFolder, 'repositories');
  const entries = await readdir(root, { recursive: true });
  const repositories = entries.filter((entry) => /^..\/..\/[0-9a-f]{32}\.git$/.test(entry));
  expect(repositories).toHaveLength(paths.length + 1);
  for (const repository of repositories) {
    const folder = join(root, repository);
    expect(await git(folder, 'for-each-ref', '--format=%(objectname) %(refname)')).toBe(refs);
    expect(await tryGit(folder, 'fsck', '--connectivity-only')).toMatchObject({ code: 0 });
  }
  expect(await after.get('/projects/root%2Flarge')).toMatchObject({ body: { forks_count: forks } });
  for (const path of paths) {
    expect(await after.get(`/projects/root%2F${path}?statistics=true`)).toMatchObject({
      body: {
        import_error: null,
        default_branch: 'master',
        ...(forked.includes(path) && {
          forked_from_project: { path_with_namespace: 'root/large' },
        }),
        statistics: { commit_count: commits },
      },
    });
  }
  expect(await second.kill('SIGTERM')).toBe(0);
}, 300_000);
