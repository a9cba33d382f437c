import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Client, clientOf } from '../support/client.ts';
import { git, workTree } from '../support/git.ts';
import { rootToken, type ServerProcess, startProcess } from '../support/process.ts';
import { type JobWithToken, jobClient } from '../support/runner-jobs.ts';
import { freePort } from '../support/world.ts';

const jobs = 8;
const lines = 400;
const running: ServerProcess[] = [];
const folders: string[] = [];

afterAll(async () => {
  await Promise.all(running.map((server) => server.kill('SIGKILL', 'group')));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

const names = Array.from({ length: jobs }, (_, n) => `job-${n}`);
const ciFile = names.map((name) => `${name}: { script: make }\n`).join('');
const project = '/projects/root%2Fapp';

/** What a job says, of which each line tells which one it is. */
const lineOf = ({ id }: JobWithToken, n: number) => `job ${id} line ${n} ${'.'.repeat(n % 120)}\n`;
const whole = (job: JobWithToken) =>
  Array.from({ length: lines }, (_, n) => lineOf(job, n)).join('');

/** All jobs of a pipeline, in the hands of one runner. */
async function takeJobs(api: Client, url: string): Promise<readonly JobWithToken[]> {
  const folder = await workTree({ '.gitlab-ci.yml': ciFile });
  folders.push(folder);
  const remote = `${url.replace('://', `://root:${rootToken}@`)}/root/app.git`;
  await git(folder, 'push', '--quiet', remote, 'master');
  const isMade = async () => ((await api.get(`${project}/jobs`)).body as unknown[]).length;
  await expect.poll(isMade).toBe(jobs);
  const { body } = await api.get(project);
  const registration = { token: (body as { runners_token: string }).runners_token };
  const runner = (await api.post('/runners', registration)).body as { token: string };
  const taken: JobWithToken[] = [];
  while (taken.length < jobs) {
    const given = await api.post('/jobs/request', { token: runner.token });
    expect(given.status).toBe(201);
    const { id, token } = given.body as JobWithToken;
    taken.push({ id, token });
  }
  return taken;
}

/** Sends lines one after the other until there are no more, or nobody answers; gives the bytes that are kept. */
async function say(
  url: string,
  job: JobWithToken,
  from: number,
  onKept: () => void,
): Promise<number> {
  const text = whole(job);
  const { append } = jobClient(url);
  for (let size = from; size < text.length; ) {
    const piece = text.slice(size, text.indexOf('\n', size) + 1);
    const answer = await append(job, size, piece).catch(() => null);
    if (!answer) return size;
    expect([202, 416]).toContain(answer.status);
    size = Number(answer.range?.slice(2));
    onKept();
  }
  return text.length;
}

test('no line of a trace is lost that was kept when the server was killed', async () => {
  const data = await mkdtemp(join(tmpdir(), 'millrace-trace-kill-'));
  folders.push(data);
  const port = await freePort();
  const start = async () => {
    const server = await startProcess(port, { MILLRACE_DATA: data });
    running.push(server);
    return server;
  };
  const first = await start();
  const before = clientOf(first.url, rootToken);
  await before.post('/projects', { path: 'app' });
  const taken = await takeJobs(before, first.url);
  let count = 0;
  const saying = taken.map((job) =>
    say(first.url, job, 0, () => {
      count += 1;
    }),
  );
  await expect.poll(() => count, { interval: 1 }).toBeGreaterThan((jobs * lines) / 4);
  await first.kill('SIGKILL', 'node');
  const sizes = await Promise.all(saying);
  expect(sizes.some((size, n) => size < whole(taken[n] as JobWithToken).length)).toBe(true);

  const second = await start();
  const after = clientOf(second.url, rootToken);
  const traceOf = async ({ id }: JobWithToken) =>
    ((await after.get(`${project}/jobs/${id}/trace`)).body ?? '') as string;
  for (const [n, job] of taken.entries()) {
    const trace = await traceOf(job);
    expect(trace.length).toBeGreaterThanOrEqual(sizes[n] ?? 0);
    expect(whole(job).startsWith(trace)).toBe(true);
  }
  await Promise.all(taken.map((job, n) => say(second.url, job, sizes[n] ?? 0, () => {})));
  for (const job of taken) expect(await traceOf(job)).toBe(whole(job));
}, 120_000);
