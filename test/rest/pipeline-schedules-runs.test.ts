import { describe, expect, test } from 'vitest';
import { enqueueDueSchedules } from '../../schema/pipeline-schedules/enqueue-due.ts';
import { ciOf } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db } = testWorld;
const { parts, jobs, deletePushPipelines } = await ciOf(testWorld);
const max = await seed.user('max');
const dan = await seed.user('dan');
const file = `
nightly: { script: make, only: [schedules] }
each push: { script: make test, except: [schedules] }
always: { script: make lint }
`;

let count = 0;

/** A project with a schedule of Dan's that is due. */
async function dueSchedule(given: object = {}) {
  count += 1;
  const path = `max/p${count}`;
  const { id: project } = await seed.project(path, { developer: dan });
  const sha = await seed.push(path, { '.gitlab-ci.yml': file });
  await deletePushPipelines(project);
  await db.protectedBranch.deleteMany({ where: { projectId: project } });
  const input = { description: 'nightly', ref: 'master', cron: '0 1 * * *', ...given };
  const schedules = `/projects/${project}/pipeline_schedules`;
  const { body } = await as(dan).post(schedules, input);
  const { id } = body as { readonly id: number };
  return { id, project, sha, path: `${schedules}/${id}` };
}

const anHourAgo = () => new Date(Date.now() - 3_600_000);

/** Makes schedules due and enqueues their runs. */
async function run(ids: readonly number[], dueAt = anHourAgo()) {
  const nextRunAt = { nextRunAt: dueAt };
  await db.pipelineSchedule.updateMany({ where: { id: { in: [...ids] } }, data: nextRunAt });
  await enqueueDueSchedules({ ...parts, db });
  return dueAt;
}

/** The schedule after the run that was due at `dueAt`. */
async function settled(id: number, dueAt: Date) {
  const lastRunAt = async () =>
    (await db.pipelineSchedule.findUniqueOrThrow({ where: { id } })).lastRunAt;
  await expect.poll(lastRunAt).toEqual(dueAt);
  return db.pipelineSchedule.findUniqueOrThrow({ where: { id } });
}

const pipelinesOf = (projectId: number) => db.pipeline.findMany({ where: { projectId } });

describe('a schedule that is due', () => {
  test('creates a pipeline of its owner for the head of the ref, with the jobs of schedules', async () => {
    const { id, project, sha, path } = await dueSchedule();
    const dueAt = await run([id]);
    const { nextRunAt, lastPipelineId, lastError } = await settled(id, dueAt);
    expect(nextRunAt.getTime()).toBeGreaterThan(Date.now());
    expect(lastError).toBeNull();
    const pipelines = await pipelinesOf(project);
    expect(pipelines).toMatchObject([
      { id: lastPipelineId, source: 'schedule', ref: 'master', sha, userId: dan.id },
    ]);
    expect(await jobs(lastPipelineId ?? 0)).toBe('nightly: pending, always: pending');
    expect(await as(dan).get(path)).toMatchObject({
      body: { last_pipeline: { id: lastPipelineId, sha, ref: 'master', status: 'pending' } },
    });
  });

  test('passes its variables to the jobs', async () => {
    const { id, project, path } = await dueSchedule();
    await as(dan).post(`${path}/variables`, { key: 'TARGET', value: 'moon' });
    const runner = await runnersOf(testWorld).specific([project]);
    await settled(id, await run([id]));
    const { job } = await runnerClient(url, runner.token).request();
    expect(job?.variables).toEqual(
      expect.arrayContaining([
        { key: 'TARGET', value: 'moon', public: false },
        { key: 'CI_PIPELINE_SOURCE', value: 'schedule', public: true },
      ]),
    );
  });

  test('creates one pipeline, however many processes find it and however often its job runs', async () => {
    const { id, project } = await dueSchedule();
    const dueAt = anHourAgo();
    await db.pipelineSchedule.update({ where: { id }, data: { nextRunAt: dueAt } });
    await Promise.all(Array.from({ length: 4 }, () => enqueueDueSchedules({ ...parts, db })));
    const payload = { scheduleId: id, projectId: project, dueAt: dueAt.toISOString() };
    const enqueued = () => db.$queryRaw<{ state: string }[]>`
      SELECT state::text FROM pgboss.job
      WHERE name = 'run-schedule' AND (data->>'scheduleId')::int = ${id}`;
    expect(await enqueued()).toHaveLength(1);
    await db.$transaction((tx) =>
      parts.jobs.enqueueAll('run-schedule', Array(5).fill(payload), tx),
    );
    const states = async () => new Set((await enqueued()).map(({ state }) => state));
    await expect.poll(states).toEqual(new Set(['completed']));
    expect(await pipelinesOf(project)).toHaveLength(1);
    await settled(id, await run([id], new Date(dueAt.getTime() + 60_000)));
    expect(await pipelinesOf(project)).toHaveLength(2);
  });

  test('creates none while it is inactive', async () => {
    const { id, project, path } = await dueSchedule();
    await as(dan).put(path, { active: false });
    const other = await dueSchedule();
    const dueAt = await run([id, other.id]);
    await settled(other.id, dueAt);
    expect(await pipelinesOf(project)).toEqual([]);
  });

  test('creates none if it is deactivated after its job was enqueued', async () => {
    const { id, project } = await dueSchedule();
    await db.pipelineSchedule.update({ where: { id }, data: { isActive: false } });
    const payload = { scheduleId: id, projectId: project, dueAt: anHourAgo().toISOString() };
    await db.$transaction((tx) => parts.jobs.enqueue('run-schedule', payload, tx));
    const unfinished = () => db.$queryRaw<unknown[]>`
      SELECT id FROM pgboss.job WHERE name = 'run-schedule' AND state < 'completed'`;
    await expect.poll(unfinished).toEqual([]);
    expect(await pipelinesOf(project)).toEqual([]);
  });
});

describe('a schedule is deactivated', () => {
  const text = 'Insufficient permissions to create a new pipeline';

  test.each([
    [
      'if its owner is blocked',
      async () => void (await as(root).post(`/users/${dan.id}/block`)),
      async () => void (await as(root).post(`/users/${dan.id}/unblock`)),
    ],
    [
      'if its owner was deleted',
      async (id: number) =>
        void (await db.pipelineSchedule.update({ where: { id }, data: { ownerId: null } })),
    ],
    [
      'if its owner may no longer run pipelines',
      async (_id: number, project: number) =>
        void (await as(root).put(`/projects/${project}/members/${dan.id}`, { access_level: 20 })),
    ],
  ] as const)('%s', async (_title, withdraw, restore: () => Promise<void> = async () => {}) => {
    const { id, project, path } = await dueSchedule();
    await withdraw(id, project);
    const schedule = await settled(id, await run([id]));
    await restore();
    expect(schedule).toMatchObject({ isActive: false, lastError: text, lastPipelineId: null });
    expect(await pipelinesOf(project)).toEqual([]);
    expect(await as(root).get(path)).toMatchObject({ body: { active: false, last_error: text } });
  });

  test('if its owner may not run pipelines of the branch', async () => {
    const { id, project } = await dueSchedule();
    const rule = { name: 'master', push_access_level: 40, merge_access_level: 40 };
    await as(root).post(`/projects/${project}/protected_branches`, rule);
    expect(await settled(id, await run([id]))).toMatchObject({
      isActive: false,
      lastError: "Insufficient permissions for protected ref 'master'",
    });
  });
});

describe('a schedule stays active and shows the error', () => {
  test('if the ref is missing, until a run succeeds', async () => {
    const { id, project, path } = await dueSchedule({ ref: 'lost' });
    const dueAt = await run([id]);
    expect(await settled(id, dueAt)).toMatchObject({
      isActive: true,
      lastError: 'Reference not found',
    });
    await as(max).put(path, { ref: 'master' });
    await as(dan).put(path, { ref: 'master' });
    const later = await run([id], new Date(dueAt.getTime() + 60_000));
    expect(await settled(id, later)).toMatchObject({ isActive: true, lastError: null });
    expect(await pipelinesOf(project)).toHaveLength(1);
  });

  test.each([
    ['the commit has no CI file', null, 'Missing .gitlab-ci.yml file'],
    ['the CI file is invalid', 'x: {', expect.stringContaining('end')],
    [
      'no job is for schedules',
      'x: { script: a, except: [schedules] }',
      'No stages / jobs for this pipeline.',
    ],
  ])('if %s', async (_title, content, lastError) => {
    const { id, project } = await dueSchedule();
    const action = content === null ? { action: 'delete' } : { action: 'update', content };
    const actions = [{ file_path: '.gitlab-ci.yml', ...action }];
    await as(root).post(`/projects/${project}/repository/commits`, {
      branch: 'master',
      commit_message: 'Change',
      actions,
    });
    expect(await settled(id, await run([id]))).toMatchObject({
      isActive: true,
      lastError,
      lastPipelineId: null,
    });
  });
});
