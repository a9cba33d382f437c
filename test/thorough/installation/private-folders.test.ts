import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { git, workTree } from '../../support/git.ts';
import { rootToken, type ServerProcess, startProcess } from '../../support/process.ts';

const folders: string[] = [];
const running: ServerProcess[] = [];
afterAll(async () => {
  await Promise.all(running.map((server) => server.kill('SIGKILL')));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

/** Paths that other accounts can open. */
async function openToOthers(folder: string, path = ''): Promise<string[]> {
  const current = join(folder, path);
  const { mode } = await stat(current).catch(() => ({ mode: 0 }));
  if ((mode & 0o077) === 0) return [];
  const entries = await readdir(current, { withFileTypes: true }).catch(() => []);
  const below = await Promise.all(
    entries
      .filter((entry) => !entry.isSymbolicLink())
      .map(({ name }) => openToOthers(folder, join(path, name))),
  );
  return [path || '.', ...below.flat()];
}

/** Every folder and file created with permissions for others. */
async function createdOpen(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const open = await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const isOpen = !entry.isSymbolicLink() && ((await modeOf(path).catch(() => 0)) & 0o077) !== 0;
      return isOpen ? [path] : [];
    }),
  );
  return open.flat();
}

async function start(variables: Readonly<Record<string, string>>) {
  const port = await freePort();
  const server = await startProcess(port, variables);
  running.push(server);
  return { server, api: clientOf(server.url, rootToken) };
}

/** A project with a repository, an upload and a wiki. */
async function fill({ server, api }: Awaited<ReturnType<typeof start>>, path: string) {
  expect((await api.post('/projects', { path, wiki_enabled: true })).status).toBe(201);
  const tree = await workTree({ 'a.txt': 'a' });
  folders.push(tree);
  const remote = `${server.url.replace('://', `://root:${rootToken}@`)}/root/${path}.git`;
  await git(tree, 'push', '--quiet', remote, 'master');
  const file = { branch: 'master', content: 'b', commit_message: 'Add b' };
  const files = `/projects/root%2F${path}/repository/files/b.txt`;
  expect((await api.post(files, file)).status).toBe(201);
  const page = { title: 'home', content: 'Welcome' };
  expect((await api.post(`/projects/root%2F${path}/wikis`, page)).status).toBe(201);
  expect((await git(tree, 'ls-remote', remote)).split('\n').length).toBeGreaterThan(1);
}

test('the data folder and storages outside of it are for the account of the service only', async () => {
  const dataFolder = join(await mkdtemp(join(tmpdir(), 'millrace-private-')), 'data');
  const storage = await mkdtemp(join(tmpdir(), 'millrace-storage-'));
  folders.push(join(dataFolder, '..'), storage);
  await chmod(storage, 0o755);
  const variables = { MILLRACE_DATA: dataFolder, MILLRACE_STORAGES: `default=${storage}` };
  const first = await start(variables);
  await fill(first, 'app');
  expect(await createdOpen(storage)).toEqual([]);
  expect(await openToOthers(dataFolder)).toEqual([]);
  const inData = await createdOpen(dataFolder);
  // the hooks, which git runs, can be read within their closed folder
  expect(inData.filter((path) => !path.startsWith(join(dataFolder, 'hooks')))).toEqual([]);
  expect(await modeOf(join(dataFolder, 'secret.key'))).toBe(0o600);
  expect(await first.server.kill('SIGTERM')).toBe(0);

  // as earlier versions created it
  await chmod(dataFolder, 0o755);
  await chmod(join(dataFolder, 'secret.key'), 0o644);
  await mkdir(join(storage, 'ab'), { recursive: true });
  await mkdir(join(storage, 'of-others'));
  for (const name of [...(await readdir(storage)), 'ab']) await chmod(join(storage, name), 0o755);
  const second = await start(variables);
  expect(await openToOthers(dataFolder)).toEqual([]);
  expect(await modeOf(join(dataFolder, 'secret.key'))).toBe(0o600);
  // the permissions of a folder shared with other accounts are not changed
  expect((await openToOthers(storage)).sort()).toEqual(['.', 'of-others']);
  expect((await second.api.get('/projects/root%2Fapp/repository/tree')).status).toBe(200);
  expect(await second.server.kill('SIGTERM')).toBe(0);
}, 120_000);

test('jobs under another account still run, without access to other data', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-private-'));
  folders.push(dataFolder);
  const { server, api } = await start({ MILLRACE_DATA: dataFolder, MILLRACE_RUNNER: 'shell' });
  await fill({ server, api }, 'app');
  const script = `for folder in ${dataFolder} ${dataFolder}/repositories ${dataFolder}/postgres; do if ls $folder; then exit 1; fi; done; umask`;
  const content = `try:\n  script:\n    - ${JSON.stringify(script)}\n`;
  const commit = { branch: 'master', content, commit_message: 'Add CI' };
  const files = '/projects/root%2Fapp/repository/files/.gitlab-ci.yml';
  expect((await api.post(files, commit)).status).toBe(201);
  const jobs = async () =>
    (await api.get('/projects/root%2Fapp/jobs')).body as readonly {
      readonly id: number;
      readonly status: string;
    }[];
  const isOver = async () => /^(success|failed)$/.test((await jobs())[0]?.status ?? '');
  await expect.poll(isOver, { timeout: 60_000 }).toBe(true);
  const [job] = await jobs();
  const trace = await api.fetch(`/projects/root%2Fapp/jobs/${job?.id}/trace`);
  const text = await trace.text();
  if (process.getuid?.() === 0) {
    expect(job?.status, text).toBe('success');
    const open = await openToOthers(dataFolder);
    expect(open.filter((path) => !/^(\.|runner)$/.test(path))).toEqual([]);
    expect(await modeOf(dataFolder)).toBe(0o711);
  }
  expect(text).toMatch(/^0022\r?$/m);
  expect(await server.kill('SIGTERM')).toBe(0);
}, 180_000);
