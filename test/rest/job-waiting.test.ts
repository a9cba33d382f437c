import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import type { Parameters } from '../support/client.ts';
import { type RunnerClient, runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const here = await world();
const { as, seed, db, url } = here;
const { deletePushPipelines, move } = await ciOf(here);
const runners = runnersOf(here);
const ada = await seed.user('ada');

const { id: project } = await seed.project('ada/app');
await seed.push('ada/app', { '.gitlab-ci.yml': 'one: { script: a }' });
await deletePushPipelines(project);

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

const wakeAll = () => db.$executeRaw`SELECT pg_notify('millrace_jobs', '')`;

/** What a runner is told once everything that was done before has been noticed. */
async function settled(runner: RunnerClient): Promise<string> {
  await wakeAll();
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

  test('a runner that sends back every value it received gets all pending jobs at once', async () => {
    const { runner } = await idle();
    await make();
    await make();
    const answers = [await runner.request(), await runner.request()];
    expect(answers).toMatchObject([
      { status: 201, lastUpdate: null },
      { status: 201, lastUpdate: null },
    ]);
    // the runner has nothing to run now, and is told so with a value
    expect(await runner.request('')).toMatchObject({ status: 204, lastUpdate: expect.any(String) });
  });

  test('a job that is queued while requests are answered is never hidden by their value', async () => {
    const { runner } = await idle();
    const count = 12;
    const given = new Set<number>();
    const work = async () => {
      while (given.size < count) {
        const { job } = await runner.request();
        if (!job) continue;
        given.add(job.id);
        // the other request may be held
        if (given.size === count) await wakeAll();
      }
    };
    const queue = async () => {
      for (let made = 0; made < count; made += 1) await make();
    };
    await Promise.all([work(), work(), queue()]);
    expect(given.size).toBe(count);
  });

  test('a value from before a runner changed does not hold its next request', async () => {
    const changes: readonly (readonly [Parameters, Parameters])[] = [
      [{ tag_list: ['arm'], run_untagged: false }, { run_untagged: true }],
      [{ access_level: 'ref_protected' }, { access_level: 'not_protected' }],
      [{ active: false }, { active: true }],
    ];
    await db.protectedBranch.deleteMany({ where: { projectId: project } });
    for (const [before, after] of changes) {
      const { id, runner } = await idle();
      await as(ada).put(`/runners/${id}`, before);
      await make();
      await settled(runner);
      expect((await as(ada).put(`/runners/${id}`, after)).status).toBe(200);
      expect((await runner.request()).status).toBe(201);
    }
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
