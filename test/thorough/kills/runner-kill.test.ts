import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Client, clientOf } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { git, workTree } from '../../support/git.ts';
import { rootToken, type ServerProcess, startProcess } from '../../support/process.ts';

const folders: string[] = [];
const running: ServerProcess[] = [];

afterAll(async () => {
  await Promise.all(running.map((server) => server.kill('SIGKILL', 'group')));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

const start = async (port: number, dataFolder: string) => {
  const server = await startProcess(port, { MILLRACE_DATA: dataFolder, MILLRACE_RUNNER: 'shell' });
  running.push(server);
  return server;
};

const lines = 150;

const isRoot = process.getuid?.() === 0;

/** A job that prints lines for a while and stores an artifact for the next stage. */
const ciFile = (dataFolder: string) => `
stages: [build, test]
count:
  stage: build
  script:
    - 'for n in $(seq ${lines}); do echo "line $n."; sleep 0.05; done'
    - id -un > who
${isRoot ? notReadable(dataFolder) : ''}  artifacts: { paths: [who] }
after: { stage: test, script: cat who }
`;

/** Jobs under a separate account cannot read the data of the server. */
const notReadable = (dataFolder: string) =>
  ['repositories', 'artifacts', 'secret.key', 'runner/config.json', 'postgres/cluster']
    .map(
      (name) =>
        `    - 'if cat ${dataFolder}/${name} || ls ${dataFolder}/${name}/; then exit 9; fi'\n`,
    )
    .join('');

interface Job {
  readonly id: number;
  readonly name: string;
  readonly status: string;
}

const path = '/projects/root%2Fapp';
const jobsOf = async (api: Client) =>
  ((await api.get(`${path}/jobs`)).body as readonly Job[]).toSorted((a, b) => a.id - b.id);
const statuses = async (api: Client) =>
  (await jobsOf(api)).map(({ name, status }) => `${name}: ${status}`).join(', ');
const traceOf = async (api: Client, name: string) => {
  const job = (await jobsOf(api)).find((row) => row.name === name);
  return job ? (await api.fetch(`${path}/jobs/${job.id}/trace`)).text() : '';
};
const linesIn = (trace: string) =>
  [...trace.matchAll(/^line (\d+)\.$/gm)].map(([, n]) => Number(n));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** The runner programs that work in a data folder. */
async function programsIn(dataFolder: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, index) => commands[index]?.includes(`${dataFolder}/runner/`));
}

/** A fresh install with one variable, and a project pushed to it. */
async function installed() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-runner-kill-'));
  folders.push(dataFolder);
  // like a usual data folder: other accounts can traverse it
  await chmod(dataFolder, 0o755);
  const port = await freePort();
  const server = await start(port, dataFolder);
  const api = clientOf(server.url, rootToken);
  expect((await api.post('/projects', { path: 'app' })).status).toBe(201);
  const work = await workTree({ '.gitlab-ci.yml': ciFile(dataFolder) });
  folders.push(work);
  const remote = `${server.url.replace('://', `://root:${rootToken}@`)}/root/app.git`;
  await git(work, 'push', '--quiet', remote, 'master');
  const patient = { timeout: 60_000, interval: 50 };
  await expect
    .poll(async () => linesIn(await traceOf(api, 'count')).length, patient)
    .toBeGreaterThan(20);
  return { dataFolder, port, server, api, patient };
}

test('kill -9 of the server during a job loses neither the job nor a trace line', async () => {
  const { dataFolder, port, server, api, patient } = await installed();
  const trace = await traceOf(api, 'count');
  const [orphan = ''] = await programsIn(dataFolder);
  expect(orphan).not.toBe('');
  await server.kill('SIGKILL', 'node');

  const second = await start(port, dataFolder);
  expect((await traceOf(api, 'count')).startsWith(trace)).toBe(true);
  await expect.poll(() => statuses(api), patient).toBe('count: success, after: success');
  expect(linesIn(await traceOf(api, 'count'))).toEqual(upTo(lines));
  const account = /\n(\S+)\n.*Job succeeded/s.exec(await traceOf(api, 'after'))?.[1];
  expect(account).toBe(isRoot ? 'nobody' : expect.any(String));
  // the job has ended by itself, or is killed with its server
  await expect.poll(() => programsIn(dataFolder), patient).not.toContain(orphan);
  expect(await programsIn(dataFolder)).toHaveLength(1);
  expect(await second.kill('SIGTERM')).toBe(0);
  expect(await programsIn(dataFolder)).toEqual([]);
}, 180_000);

test('a job fails and keeps its trace when the server is killed with its runner', async () => {
  const { dataFolder, port, server, api, patient } = await installed();
  const before = await traceOf(api, 'count');
  await server.kill('SIGKILL', 'group');

  const second = await start(port, dataFolder);
  await expect.poll(() => statuses(api), patient).toBe('count: failed, after: skipped');
  const trace = await traceOf(api, 'count');
  expect(trace.startsWith(before)).toBe(true);
  expect(linesIn(trace)).toEqual(upTo(linesIn(trace).length));
  const [job] = await jobsOf(api);
  expect((await api.post(`${path}/jobs/${job?.id}/retry`)).status).toBe(201);
  await expect
    .poll(() => statuses(api), patient)
    .toBe('count: failed, after: success, count: success');
  const config = join(dataFolder, 'runner', 'config.json');
  expect((await stat(config)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(config, 'utf8'))).toMatchObject({ token: expect.any(String) });
  const runners = await api.get('/runners/all');
  expect(runners.body).toMatchObject([{ is_shared: true, active: true, name: 'millrace-runner' }]);
  expect(await second.kill('SIGTERM')).toBe(0);
}, 180_000);
