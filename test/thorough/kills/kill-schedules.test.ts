import { expect, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { killableServers } from '../../support/killable.ts';
import { rootToken } from '../../support/process.ts';

const schedules = 24;

test('after kill -9 of two servers, each schedule that was due has one pipeline', async () => {
  const { start, session } = await killableServers();
  const countOf = async (condition: string): Promise<number> => {
    const { rows } = await session.query(`SELECT count(*)::int AS count FROM ${condition}`);
    return rows[0].count;
  };
  const [first, other] = [await start(), await start()];
  const api = clientOf(first.url, rootToken);
  const project = '/projects/root%2Fapp';
  expect((await api.post('/projects', { path: 'app' })).status).toBe(201);
  const file = { branch: 'master', content: 'unit: { script: a, only: [schedules] }' };
  const path = `${project}/repository/files/.gitlab-ci.yml`;
  expect((await api.post(path, { ...file, commit_message: 'Begin' })).status).toBe(201);
  for (let n = 0; n < schedules; n += 1) {
    const input = { description: `${n}`, ref: 'master', cron: '0 1 1 1 *' };
    expect((await api.post(`${project}/pipeline_schedules`, input)).status).toBe(201);
  }

  await session.query(`UPDATE pipeline_schedules SET next_run_at = now() - interval '1 hour'`);
  const created = () => countOf(`pipelines WHERE source = 'schedule'`);
  await expect.poll(created, { interval: 10 }).toBeGreaterThan(2);
  await Promise.all([first.kill('SIGKILL'), other.kill('SIGKILL')]);
  const beforeRestart = await created();

  await start();
  const remaining = () => countOf('pipeline_schedules WHERE last_run_at IS NULL');
  await expect.poll(remaining, { timeout: 90_000 }).toBe(0);
  expect(beforeRestart).toBeLessThan(schedules);
  expect(await created()).toBe(schedules);
  const { rows } = await session.query(
    'SELECT count(DISTINCT last_pipeline_id)::int AS pipelines FROM pipeline_schedules',
  );
  expect(rows[0].pipelines).toBe(schedules);
}, 180_000);
