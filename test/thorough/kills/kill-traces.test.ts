import { expect, test } from 'vitest';
import { type Client, clientOf } from '../../support/client.ts';
import { git, workTree } from '../../support/git.ts';
import { deleteAfterTest, killable, remoteOf } from '../../support/killable.ts';
import { rootToken, type ServerProcess } from '../../support/process.ts';
import { type JobWithToken, jobClient } from '../../support/runner-jobs.ts';

const jobCount = 8;
const lines = 400;

const names = Array.from({ length: jobCount }, (_, n) => `job-${n}`);
const ciFile = names.map((name) => `${name}: { script: make }\n`).join('');
const project = '/projects/root%2Fapp';

/** A trace line with its job and number. */
const lineOf = ({ id }: JobWithToken, n: number) => `job ${id} line ${n} ${'.'.repeat(n % 120)}\n`;
const fullTrace = (job: JobWithToken) =>
  Array.from({ length: lines }, (_, n) => lineOf(job, n)).join('');

/** All jobs of a pipeline, assigned to one runner. */
async function requestJobs(api: Client, server: ServerProcess): Promise<readonly JobWithToken[]> {
  const folder = deleteAfterTest(await workTree({ '.gitlab-ci.yml': ciFile }));
  await git(folder, 'push', '--quiet', remoteOf(server, 'app'), 'master');
  const countJobs = async () => ((await api.get(`${project}/jobs`)).body as unknown[]).length;
  await expect.poll(countJobs).toBe(jobCount);
  const { body } = await api.get(project);
  const registration = { token: (body as { runners_token: string }).runners_token };
  const runner = (await api.post('/runners', registration)).body as { token: string };
  const assigned: JobWithToken[] = [];
  while (assigned.length < jobCount) {
    const response = await api.post('/jobs/request', { token: runner.token });
    expect(response.status).toBe(201);
    const { id, token } = response.body as JobWithToken;
    assigned.push({ id, token });
  }
  return assigned;
}

/** Sends all lines in turn, or until the server does not respond; gives the number of stored bytes. */
async function sendLines(
  url: string,
  job: JobWithToken,
  from: number,
  onAcknowledged: () => void,
): Promise<number> {
  const text = fullTrace(job);
  const { append } = jobClient(url);
  for (let size = from; size < text.length; ) {
    const line = text.slice(size, text.indexOf('\n', size) + 1);
    const response = await append(job, size, line).catch(() => null);
    if (!response) return size;
    expect([202, 416]).toContain(response.status);
    size = Number(response.range?.slice(2));
    onAcknowledged();
  }
  return text.length;
}

test('no acknowledged trace line is lost when the server is killed', async () => {
  const { start } = await killable();
  const first = await start();
  const before = clientOf(first.url, rootToken);
  await before.post('/projects', { path: 'app' });
  const jobs = await requestJobs(before, first);
  let count = 0;
  const sending = jobs.map((job) =>
    sendLines(first.url, job, 0, () => {
      count += 1;
    }),
  );
  await expect.poll(() => count, { interval: 1 }).toBeGreaterThan((jobCount * lines) / 4);
  await first.kill('SIGKILL', 'node');
  const sizes = await Promise.all(sending);
  expect(sizes.some((size, n) => size < fullTrace(jobs[n] as JobWithToken).length)).toBe(true);

  const second = await start();
  const after = clientOf(second.url, rootToken);
  const traceOf = async ({ id }: JobWithToken) =>
    ((await after.get(`${project}/jobs/${id}/trace`)).body ?? '') as string;
  for (const [n, job] of jobs.entries()) {
    const trace = await traceOf(job);
    expect(trace.length).toBeGreaterThanOrEqual(sizes[n] ?? 0);
    expect(fullTrace(job).startsWith(trace)).toBe(true);
  }
  await Promise.all(jobs.map((job, n) => sendLines(second.url, job, sizes[n] ?? 0, () => {})));
  for (const job of jobs) expect(await traceOf(job)).toBe(fullTrace(job));
}, 120_000);
