import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { type RunnerClient, runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const here = await world();
const { as, seed, db, url } = here;
const { forgetPushed, move } = await ciOf(here);
const runners = runnersOf(here);
const ada = await seed.user('ada');

const { id: project } = await seed.project('ada/app');
await seed.push('ada/app', { '.gitlab-ci.yml': 'one: { script: a }' });
await forgetPushed(project);

const make = async () => {
  const { status, body } = await as(ada).post(`/projects/${project}/pipeline`, { ref: 'master' });
  expect(status).toBe(201);
  return (body as { id: number }).id;
};

/** A runner that was told that nothing waits, and what it says with its next request. */
async function idle() {
  await db.job.updateMany({ where: { status: 'pending' }, data: { status: 'success' } });
  const registered = await runners.specific([project]);
  const runner = runnerClient(url, registered.token);
  return { id: registered.id, runner, said: await settled(runner) };
}

/** What a runner is told once everything that was done before has been noticed. */
async function settled(runner: RunnerClient): Promise<string> {
  await db.$executeRaw`SELECT pg_notify('millrace_jobs', '')`;
  const { status, lastUpdate } = await runner.request('');
  expect(status).toBe(204);
  return lastUpdate ?? '';
}

describe('POST /jobs/request with last_update', () => {
  test('who says what it was told waits until there is a job', async () => {
    const { runner, said } = await idle();
    const answer = runner.request(said);
    await make();
    const { status, lastUpdate } = await answer;
    if (status === 201) return;
    // a notice from before may have come late
    expect((await runner.request(lastUpdate ?? '')).status).toBe(201);
  });

  test('who says anything else is answered at once', async () => {
    const { runner } = await idle();
    for (const said of ['', 'something else']) {
      expect(await runner.request(said)).toMatchObject({ status: 204 });
    }
  });

  test('what is told is another after a job was there for somebody', async () => {
    const { runner, said } = await idle();
    await make();
    const { status } = await runner.request('');
    expect(status).toBe(201);
    const { lastUpdate } = await runner.request('');
    expect(lastUpdate).not.toBe(said);
  });

  test('a runner that is paused or removed while it waits is let go', async () => {
    const paused = await idle();
    const first = paused.runner.request(paused.said);
    await as(ada).put(`/runners/${paused.id}`, { active: false });
    expect((await first).status).toBe(204);
    const removed = await idle();
    const second = removed.runner.request(removed.said);
    expect(await removed.runner.unregister()).toBe(204);
    await make();
    expect([204, 403]).toContain((await second).status);
    expect((await removed.runner.request('')).status).toBe(403);
  });

  test('jobs that somebody starts, tries again or opens wake who waits', async () => {
    const shared = runnerClient(url, (await runners.shared()).token);
    await db.job.updateMany({ where: { status: 'pending' }, data: { status: 'success' } });
    const pipeline = await make();
    await move(pipeline, 'one', 'failed');
    const wakers = [
      () => as(ada).post(`/projects/${project}/pipelines/${pipeline}/retry`),
      async () => {
        await as(ada).put(`/projects/${project}`, { shared_runners_enabled: false });
        await make();
        await settled(shared);
        await as(ada).put(`/projects/${project}`, { shared_runners_enabled: true });
      },
    ];
    for (const wake of wakers) {
      await settled(shared);
      await wake();
      const woken = async () => {
        const { status } = await shared.request();
        return status;
      };
      // the first request may be answered by a notice from before
      const statuses = [await woken()];
      if (statuses[0] !== 201) statuses.push(await woken());
      expect(statuses).toContain(201);
    }
  });
});
