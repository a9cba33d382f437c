import { describe, expect, test } from 'vitest';
import { enqueueDueSchedules } from '../../schema/pipeline-schedules/enqueue-due.ts';
import { ciOf } from '../support/ci.ts';
import { holdJobs } from '../support/held-jobs.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, db } = testWorld;
const { parts, deletePushPipelines } = await ciOf(testWorld);
const max = await seed.user('max');
const dan = await seed.user('dan');
const eve = await seed.user('eve');

let count = 0;

/** A project with a CI file, in which Max is a master and Dan and Eve are developers. */
async function projectWithCi() {
  count += 1;
  const path = `max/p${count}`;
  const { id } = await seed.project(path, { developer: [dan, eve] });
  const sha = await seed.push(path, { '.gitlab-ci.yml': 'job: { script: make }' });
  await deletePushPipelines(id);
  await db.protectedBranch.deleteMany({ where: { projectId: id } });
  const branch = { branch: 'topic', ref: 'master' };
  await as(max).post(`/projects/${id}/repository/branches`, branch);
  return { id, sha };
}

/** A schedule of Dan's, for `topic`. */
async function scheduleOfDan() {
  const { id: project, sha } = await projectWithCi();
  const schedules = `/projects/${project}/pipeline_schedules`;
  const input = { description: 'nightly', ref: 'topic', cron: '0 1 * * *' };
  const { status, body } = await as(dan).post(schedules, input);
  expect(status).toBe(201);
  const { id } = body as { readonly id: number };
  return { id, project, sha, path: `${schedules}/${id}` };
}

/** The pipelines of a schedule that became due before `change`, and ran after it. */
async function runAfter(
  schedule: { readonly id: number; readonly project: number },
  change: () => Promise<unknown>,
) {
  const held = await holdJobs(db, 'run-schedule');
  const dueAt = new Date(Date.now() - 3_600_000);
  await db.pipelineSchedule.update({ where: { id: schedule.id }, data: { nextRunAt: dueAt } });
  await enqueueDueSchedules({ ...parts, db });
  expect(await held.count()).toBe(1);
  await change();
  await held.release();
  const unfinished = () => db.$queryRaw<unknown[]>`
    SELECT id FROM pgboss.job WHERE name = 'run-schedule' AND state < 'completed'`;
  await expect.poll(unfinished).toEqual([]);
  return db.pipeline.findMany({ where: { projectId: schedule.project, source: 'schedule' } });
}

describe('a schedule that is due', () => {
  test.each([
    ['ref', { ref: 'master' }, 'master'],
    ['times', { cron: '0 2 * * *' }, 'topic'],
    ['time zone', { cron_timezone: 'Tokyo' }, 'topic'],
  ])('runs for the master who changed the %s, not for the owner', async (_what, change, ref) => {
    const schedule = await scheduleOfDan();
    const pipelines = await runAfter(schedule, () => as(max).put(schedule.path, { ...change }));
    expect(pipelines).toMatchObject([{ userId: max.id, ref }]);
    expect(await as(max).get(schedule.path)).toMatchObject({ body: { owner: { id: max.id } } });
    expect(await as(dan).put(schedule.path, { ref: 'topic' })).toEqual(refused.forbidden);
  });

  test.each([
    ['adds', 'post', '', { key: 'B', value: 'b' }],
    ['changes', 'put', '/A', { value: 'b' }],
    ['deletes', 'delete', '/A', {}],
  ] as const)('runs for the master who %s a variable', async (_what, method, suffix, body) => {
    const schedule = await scheduleOfDan();
    await as(dan).post(`${schedule.path}/variables`, { key: 'A', value: 'a' });
    const change = () => as(max)[method](`${schedule.path}/variables${suffix}`, body);
    expect(await runAfter(schedule, change)).toMatchObject([{ userId: max.id }]);
  });

  test('runs for the master who activates it again', async () => {
    const schedule = await scheduleOfDan();
    await as(dan).put(schedule.path, { active: false });
    expect((await as(max).put(schedule.path, { active: true })).status).toBe(200);
    expect(await runAfter(schedule, async () => {})).toMatchObject([{ userId: max.id }]);
  });

  test('still runs for its owner after a master changed only its description', async () => {
    const schedule = await scheduleOfDan();
    const same = { ref: 'topic', cron: '0 1 * * *', cron_timezone: 'UTC', active: true };
    const change = () => as(max).put(schedule.path, { description: 'weekly', ...same });
    expect(await runAfter(schedule, change)).toMatchObject([{ userId: dan.id }]);
  });

  test('runs for the user who took it over, with the rights of that user', async () => {
    const schedule = await scheduleOfDan();
    const pipelines = await runAfter(schedule, async () => {
      await as(max).post(`${schedule.path}/take_ownership`);
      await as(root).post(`/users/${dan.id}/block`);
    });
    await as(root).post(`/users/${dan.id}/unblock`);
    expect(pipelines).toMatchObject([{ userId: max.id }]);
  });

  test('creates no pipeline for a branch that became protected against its owner', async () => {
    const schedule = await scheduleOfDan();
    const protect = () =>
      as(max).post(`/projects/${schedule.project}/protected_branches`, { name: 'topic' });
    expect(await runAfter(schedule, protect)).toEqual([]);
    expect(await as(dan).get(schedule.path)).toMatchObject({
      body: { active: false, last_error: "Insufficient permissions for protected ref 'topic'" },
    });
  });

  test('creates a pipeline of the branch as it was created again, none while it is missing', async () => {
    const schedule = await scheduleOfDan();
    const branches = `/projects/${schedule.project}/repository/branches`;
    const pipelines = await runAfter(schedule, () => as(max).delete(`${branches}/topic`));
    expect(pipelines).toEqual([]);
    await as(max).post(branches, { branch: 'topic', ref: 'master' });
    const run = await as(dan).post(`${schedule.path}/play`);
    expect(run.status).toBe(201);
    const where = { projectId: schedule.project, source: 'schedule' } as const;
    expect(await db.pipeline.findMany({ where })).toMatchObject([{ sha: schedule.sha }]);
  });

  test('creates no pipeline after its project was archived', async () => {
    const schedule = await scheduleOfDan();
    const archive = () => as(root).post(`/projects/${schedule.project}/archive`);
    expect(await runAfter(schedule, archive)).toEqual([]);
  });
});

describe('a trigger token', () => {
  const denied = 'Insufficient permissions to create a new pipeline';

  /** A trigger of Eve's, who is a master at first. */
  async function triggerOfEve() {
    const { id: project } = await projectWithCi();
    const member = `/projects/${project}/members/${eve.id}`;
    await as(max).put(member, { access_level: 40 });
    const triggers = `/projects/${project}/triggers`;
    const { body } = await as(eve).post(triggers, { description: 'ci' });
    const { id, token } = body as { readonly id: number; readonly token: string };
    const run = () =>
      as(null).post(`/projects/${project}/trigger/pipeline`, { token, ref: 'topic' });
    return { id, project, member, run, path: `${triggers}/${id}` };
  }

  test('creates pipelines only while its owner may run them', async () => {
    const { member, run, project } = await triggerOfEve();
    expect(await run()).toMatchObject({ status: 201, body: { user: { id: eve.id } } });
    await as(max).put(member, { access_level: 20 });
    expect(await run()).toEqual(refused.invalid({ base: [denied] }));
    await as(max).delete(member);
    expect(await run()).toEqual(refused.invalid({ base: [denied] }));
    const where = { projectId: project, source: 'trigger' } as const;
    expect(await db.pipeline.count({ where })).toBe(1);
  });

  test('creates none while its owner is blocked, and those of its next owner afterwards', async () => {
    const { run, path } = await triggerOfEve();
    await as(root).post(`/users/${eve.id}/block`);
    const blocked = await run();
    await as(root).post(`/users/${eve.id}/unblock`);
    expect(blocked).toEqual(refused.invalid({ base: [denied] }));
    await as(max).post(`${path}/take_ownership`);
    expect(await run()).toMatchObject({ status: 201, body: { user: { id: max.id } } });
  });

  test('creates none of a branch that became protected against its owner', async () => {
    const { run, member, project } = await triggerOfEve();
    await as(max).put(member, { access_level: 30 });
    await as(max).post(`/projects/${project}/protected_branches`, { name: 'topic' });
    expect(await run()).toEqual(
      refused.invalid({ base: ["Insufficient permissions for protected ref 'topic'"] }),
    );
  });
});
