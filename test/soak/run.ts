/**
 * `npm run soak [-- --minutes 60]`: two workers under mixed clients (git, REST, SOAP, GraphQL, pipelines), one of them
 * killed each minute, PostgreSQL restarted twice. Fails if an acknowledged write is lost or a write is there twice, if
 * a request fails that no kill or restart excuses, or if memory or file descriptors grow.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { serverProcess } from '../../server/serve.ts';
import { freePort, rootToken, startProgram } from '../bench/service.ts';
import { clientsOf, runClient, type Write } from './clients.ts';
import { outcomesOf } from './outcomes.ts';
import { printOutcomes, printProcesses } from './report.ts';
import { type Sample, sampleProcesses, workersOf } from './samples.ts';
import { verifyWrites } from './verify.ts';

const workers = 2;
const projectCount = 6;
const sampleMs = 15_000;
const minute = 60_000;

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const duration = Number(options.minutes) * minute;
const print = (text: string) => process.stdout.write(`${text}\n`);

const folder = await mkdtemp(join(tmpdir(), 'millrace-soak-'));
const dataFolder = join(folder, 'data');
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const service = await startProgram(
  [...serverProcess.flags, 'server/main.ts'],
  {
    PORT: String(port),
    MILLRACE_URL: url,
    MILLRACE_DATA: dataFolder,
    MILLRACE_ROOT_TOKEN: rootToken,
    MILLRACE_WORKERS: String(workers),
    MILLRACE_RUNNER: 'shell',
    MILLRACE_LOG: 'warn',
    ...serverProcess.defaults,
    ...serverProcess.variables,
  },
  { url: `${url}/-/readiness`, log: join(folder, 'server.log') },
);

/** Waits until both workers run, so that a kill leaves one. */
async function bothWorkers(): Promise<readonly number[]> {
  for (;;) {
    const pids = await workersOf(service.pid);
    if (pids.length === workers) return pids;
    await delay(100);
  }
}

async function createProjects(): Promise<readonly number[]> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/v4${path}`, {
      method: 'POST',
      headers: { 'Private-Token': rootToken, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { readonly id: number };
  };
  const ids: number[] = [];
  for (let index = 0; index < projectCount; index += 1) {
    const { id } = await post('/projects', { path: `app-${index}`, visibility: 'public' });
    ids.push(id);
    const master = { branch: 'master', commit_message: 'Begin' };
    const files = `/projects/${id}/repository/files`;
    await post(`${files}/README.md`, { ...master, content: '# App\n'.repeat(100) });
    if (index === 0) {
      const content = 'test:\n  script:\n    - echo tested\n';
      await post(`${files}/.gitlab-ci.yml`, { ...master, content });
    }
    await post(`/projects/${id}/repository/branches`, { branch: 'files', ref: 'master' });
    await post(`/projects/${id}/issues`, { title: 'The first' });
  }
  return ids;
}

const disturbances = { kills: [] as number[], restarts: [] as number[] };
const outcomes = outcomesOf(disturbances);
const writes: Write[] = [];
const samples: Sample[] = [];

async function killWorkers(until: number): Promise<void> {
  for (let next = performance.now() + minute; next < until; next += minute) {
    await delay(next - performance.now());
    const pids = await bothWorkers();
    const pid = pids[Math.floor(Math.random() * pids.length)] ?? 0;
    disturbances.kills.push(performance.now());
    process.kill(pid, 'SIGKILL');
  }
}

/** Shuts PostgreSQL down twice; the primary process starts it again. */
async function restartDatabase(until: number): Promise<void> {
  const third = (until - performance.now()) / 3;
  for (let count = 0; count < 2; count += 1) {
    await delay(third);
    const file = join(dataFolder, 'postgres', 'cluster', 'postmaster.pid');
    const pid = Number((await readFile(file, 'utf8')).split('\n', 1)[0]);
    disturbances.restarts.push(performance.now());
    process.kill(pid, 'SIGINT');
  }
}

async function takeSamples(until: number): Promise<void> {
  while (performance.now() < until) {
    samples.push(await sampleProcesses(service.pid));
    await delay(sampleMs);
  }
}

try {
  await bothWorkers();
  const projects = await createProjects();
  const work = join(folder, 'work');
  await mkdir(work);
  const clients = await clientsOf({ url, projects, folder: work, outcomes, writes });
  print(
    `${clients.length} clients for ${options.minutes} minutes, server ${service.pid} in ${folder}`,
  );
  const until = performance.now() + duration;
  await Promise.all([
    ...clients.map((client) => runClient(client, until)),
    killWorkers(until),
    restartDatabase(until),
    takeSamples(until),
  ]);
  await bothWorkers();
  const { missing, repeated } = await verifyWrites(writes, { url, projects, folder: work });
  for (const { kind, mark } of missing) outcomes.fail(`lost ${kind} ${mark}`);
  for (const { kind, mark } of repeated) outcomes.fail(`twice: ${kind} ${mark}`);
  const pipelines = await fetch(`${url}/api/v4/projects/${projects[0]}/pipelines?status=success`, {
    headers: { 'Private-Token': rootToken },
  });
  const acknowledged = writes.filter(({ isAcknowledged }) => isAcknowledged).length;
  printOutcomes(outcomes, duration);
  print(
    `${acknowledged} acknowledged writes, ${missing.length} lost, ${repeated.length} repeated; ` +
      `${writes.length - acknowledged} of unknown outcome; ` +
      `${pipelines.headers.get('X-Total')} successful pipelines; ` +
      `${disturbances.kills.length} workers killed, ${disturbances.restarts.length} restarts of PostgreSQL`,
  );
  for (const growth of printProcesses(samples, duration)) outcomes.fail(growth);
} finally {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}
for (const failure of outcomes.failures.slice(0, 40)) print(`FAILED ${failure}`);
print(outcomes.failures.length === 0 ? 'passed' : `${outcomes.failures.length} failures`);
process.exit(outcomes.failures.length === 0 ? 0 : 1);
