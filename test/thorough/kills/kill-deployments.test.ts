import { expect, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { killableServers } from '../../support/killable.ts';
import { rootToken } from '../../support/process.ts';
import { runnerClient } from '../../support/runner-client.ts';

const jobCount = 24;

/** A job for each of `jobCount` deployments to three environments. */
const content = Array.from(
  { length: jobCount },
  (_, n) => `deploy ${n}: { script: a, environment: review/${n % 3} }`,
).join('\n');

test('after kill -9 each job that succeeded has one deployment, numbered without gaps', async () => {
  const { start, session } = await killableServers();
  const server = await start();
  const api = clientOf(server.url, rootToken);
  const project = '/projects/root%2Fapp';
  const created = await api.post('/projects', { path: 'app' });
  const { runners_token: token } = created.body as { runners_token: string };
  const file = { branch: 'master', content, commit_message: 'Begin' };
  expect((await api.post(`${project}/repository/files/.gitlab-ci.yml`, file)).status).toBe(201);
  const { body } = await clientOf(server.url, null).post('/runners', { token });
  const runner = runnerClient(server.url, (body as { token: string }).token);
  const jobs: { id: number; token: string }[] = [];
  const collect = async () => {
    const { job } = await runner.request('');
    if (job) jobs.push(job);
    return jobs.length;
  };
  await expect.poll(collect, { interval: 1, timeout: 60_000 }).toBe(jobCount);

  const acknowledged: number[] = [];
  const report = async (job: { id: number; token: string }) => {
    const response = await runner.update(job, { state: 'success' }).catch(() => null);
    if (response?.status === 200) acknowledged.push(job.id);
  };
  const reports = jobs.map(report);
  await expect.poll(() => acknowledged.length, { interval: 1 }).toBeGreaterThan(3);
  await server.kill('SIGKILL');
  await Promise.all(reports);

  await start();
  const rowsOf = async (sql: string) => (await session.query(sql)).rows;
  const succeeded = await rowsOf(`SELECT id FROM jobs WHERE status = 'success' ORDER BY id`);
  const deployed = await rowsOf('SELECT job_id AS id FROM deployments ORDER BY job_id');
  expect(deployed).toEqual(succeeded);
  expect(succeeded.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
  const numbers = await rowsOf('SELECT iid FROM deployments ORDER BY iid');
  expect(numbers.map(({ iid }) => iid)).toEqual(numbers.map((_, n) => n + 1));
  expect(await rowsOf('SELECT name FROM environments')).toHaveLength(3);
}, 180_000);
