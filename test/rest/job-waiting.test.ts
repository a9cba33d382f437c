import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import type { Parameters } from '../support/client.ts';
import { type RunnerClient, runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, db, url } = testWorld;
const { deletePushPipelines, move } = await ciOf(testWorld);
const runners = runnersOf(testWorld);
const ada = await seed.user('ada');

const { id: project } = await seed.project('ada/app');
await seed.push('ada/app', { '.gitlab-ci.yml': 'one: { script: a }' });
await deletePushPipelines(project);

const make = async () => {
  const { status, body } = await as(ada).post(`/projects/${project}/pipeline`, { ref: 'master' });
  expect(status).toBe(201);
  return (body as { id: number }).id;
};

/** A runner that got no job, and the value for its next request. */
async function createIdleRunner() {
  await db.job.updateMany({ where: { status: 'pending' }, data: { status: 'success' } });
  const registered = await runners.specific([project]);
  const runner = runnerClient(url, registered.token);
  return { id: registered.id, runner, lastUpdate: await settle(runner) };
}

const wakeAll = () => db.$executeRaw`SELECT pg_notify('millrace_jobs', '')`;

/** The value for a runner after all earlier changes were processed. */
async function settle(runner: RunnerClient): Promise<string> {
  await wakeAll();
  const { status, lastUpdate } = await runner.request('');
  expect(status).toBe(204);
  return lastUpdate ?? '';
}

describe('POST /jobs/request with last_update', () => {
  test('a request with the current value waits until there is a job', async () => {
    const { runner, lastUpdate: current } = await createIdleRunner();
    const response = runner.request(current);
    await make();
    const { status, lastUpdate } = await response;
    if (status === 201) return;
    // a delayed notification of an earlier change can end the request
    expect((await runner.request(lastUpdate ?? '')).status).toBe(201);
  });

  test('a runner that sends back each value gets all pending jobs immediately', async () => {
    const { runner } = await createIdleRunner();
    await make();
    await make();
    const responses = [await runner.request(), await runner.request()];
    expect(responses).toMatchObject([
      { status: 201, lastUpdate: null },
      { status: 201, lastUpdate: null },
    ]);
    // no job is left: the response contains a value
    expect(await runner.request('')).toMatchObject({ status: 204, lastUpdate: expect.any(String) });
  });

  test('a value never hides a job that was queued during the request', async () => {
    const { runner } = await createIdleRunner();
    const count = 12;
    const assignedIds = new Set<number>();
    const work = async () => {
      while (assignedIds.size < count) {
        const { job } = await runner.request();
        if (!job) continue;
        assignedIds.add(job.id);
        // the other request may still be waiting
        if (assignedIds.size === count) await wakeAll();
      }
    };
    const queue = async () => {
      for (let index = 0; index < count; index += 1) await make();
    };
    await Promise.all([work(), work(), queue()]);
    expect(assignedIds.size).toBe(count);
  });

  test('a value from before a change of the runner does not delay its next request', async () => {
    const changes: readonly (readonly [Parameters, Parameters])[] = [
      [{ tag_list: ['arm'], run_untagged: false }, { run_untagged: true }],
      [{ access_level: 'ref_protected' }, { access_level: 'not_protected' }],
      [{ active: false }, { active: true }],
    ];
    await db.protectedBranch.deleteMany({ where: { projectId: project } });
    for (const [before, after] of changes) {
      const { id, runner } = await createIdleRunner();
      await as(ada).put(`/runners/${id}`, before);
      await make();
      await settle(runner);
      expect((await as(ada).put(`/runners/${id}`, after)).status).toBe(200);
      expect((await runner.request()).status).toBe(201);
    }
  });

  test('a request with any other value gets an immediate response', async () => {
    const { runner } = await createIdleRunner();
    for (const current of ['', 'something else']) {
      expect(await runner.request(current)).toMatchObject({ status: 204 });
    }
  });

  test('the value changes after a job was assigned', async () => {
    const { runner, lastUpdate: current } = await createIdleRunner();
    await make();
    const { status } = await runner.request('');
    expect(status).toBe(201);
    const { lastUpdate } = await runner.request('');
    expect(lastUpdate).not.toBe(current);
  });

  test('pausing or removing a runner ends its waiting request', async () => {
    const paused = await createIdleRunner();
    const first = paused.runner.request(paused.lastUpdate);
    await as(ada).put(`/runners/${paused.id}`, { active: false });
    expect((await first).status).toBe(204);
    const removed = await createIdleRunner();
    const second = removed.runner.request(removed.lastUpdate);
    expect(await removed.runner.unregister()).toBe(204);
    await make();
    expect([204, 403]).toContain((await second).status);
    expect((await removed.runner.request('')).status).toBe(403);
  });

  test('retrying a job and enabling shared runners wake waiting requests', async () => {
    const shared = runnerClient(url, (await runners.shared()).token);
    await db.job.updateMany({ where: { status: 'pending' }, data: { status: 'success' } });
    const pipeline = await make();
    await move(pipeline, 'one', 'failed');
    const triggers = [
      () => as(ada).post(`/projects/${project}/pipelines/${pipeline}/retry`),
      async () => {
        await as(ada).put(`/projects/${project}`, { shared_runners_enabled: false });
        await make();
        await settle(shared);
        await as(ada).put(`/projects/${project}`, { shared_runners_enabled: true });
      },
    ];
    for (const trigger of triggers) {
      await settle(shared);
      await trigger();
      const requestStatus = async () => {
        const { status } = await shared.request();
        return status;
      };
      // a notification of an earlier change can end the first request
      const statuses = [await requestStatus()];
      if (statuses[0] !== 201) statuses.push(await requestStatus());
      expect(statuses).toContain(201);
    }
  });
});
