import { describe, expect, test } from 'vitest';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import { ciFile, ciOf } from '../support/ci.ts';
import { basicUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db, dataFolder } = testWorld;
const { deletePushPipelines } = await ciOf(testWorld);
const ada = await seed.user('ada');
const max = await seed.user('max');
const dan = await seed.user('dan');
const eve = await seed.user('eve');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const roles = { master: max, developer: [dan, eve], reporter: rita, guest: gus };
const { id: app } = await seed.project('acme/app', roles);
const sha = await seed.push('acme/app', { '.gitlab-ci.yml': ciFile });
await deletePushPipelines(app);
await db.protectedBranch.deleteMany({ where: { projectId: app } });
const { id: open } = await seed.project('acme/open', roles, { visibility: 'public' });
const schedules = `/projects/${app}/pipeline_schedules`;
const secrets = await unlockSecrets(dataFolder, db);

interface Schedule {
  readonly id: number;
  readonly next_run_at: string;
}

const input = { description: 'nightly', ref: 'master', cron: '0 1 * * *' };

async function createSchedule(person = dan, project = app, given: object = {}): Promise<Schedule> {
  const path = `/projects/${project}/pipeline_schedules`;
  const { status, body } = await as(person).post(path, { ...input, ...given });
  expect(status).toBe(201);
  return body as Schedule;
}

const listedShape = (overrides: object = {}) => ({
  id: expect.any(Number),
  ...input,
  cron_timezone: 'UTC',
  next_run_at: expect.stringMatching(/T01:00:00\.000Z$/),
  active: true,
  created_at: instant,
  updated_at: instant,
  owner: basicUserShape(url, dan),
  ...overrides,
});

const shape = (overrides: object = {}) =>
  listedShape({ last_error: null, last_pipeline: null, variables: [], ...overrides });

const missing = refused.missing('Pipeline Schedule');

type Send = (person: Parameters<typeof as>[0], project: number) => Promise<unknown>;

/** Checks that a request for a schedule of `app` or `open` is refused below developer. */
async function expectDeveloperOnly(send: Send) {
  for (const project of [app, open]) {
    expect(await send(null, project)).toEqual(refused.anonymous);
    for (const person of [gus, rita]) expect(await send(person, project)).toEqual(missing);
  }
  expect(await send(sam, app)).toEqual(refused.missing('Project'));
  expect(await send(sam, open)).toEqual(missing);
}

describe('GET /projects/:id/pipeline_schedules', () => {
  const path = `/projects/${open}/pipeline_schedules`;

  test('lists the schedules of a project, the oldest first, with pages and by scope', async () => {
    const { id: first } = await createSchedule(dan, open);
    const { id: second } = await createSchedule(max, open, { active: false });
    const [active, inactive] = [
      listedShape({ id: first }),
      listedShape({ id: second, active: false, owner: basicUserShape(url, max) }),
    ];
    const list = (query: string) => as(eve).get(`${path}${query}`);
    expect(await list('')).toEqual({ status: 200, body: [active, inactive] });
    expect(await list('?scope=active')).toEqual({ status: 200, body: [active] });
    expect(await list('?scope=inactive')).toEqual({ status: 200, body: [inactive] });
    expect(await list('?scope=x')).toEqual(refused.parameter('scope does not have a valid value'));
    const response = await as(eve).fetch(`${path}?per_page=1&page=2`);
    expect(response.headers.get('X-Total')).toBe('2');
    expect(await response.json()).toEqual([inactive]);
  });

  test('requires a developer', async () => {
    expect(await as(null).get(path)).toEqual(refused.anonymous);
    for (const person of [sam, gus, rita]) {
      expect(await as(person).get(path)).toEqual(refused.forbidden);
    }
    expect(await as(sam).get(schedules)).toEqual(refused.missing('Project'));
    for (const person of [dan, max, ada, root]) {
      expect((await as(person).get(schedules)).status).toBe(200);
    }
  });
});

describe('GET /projects/:id/pipeline_schedules/:pipeline_schedule_id', () => {
  test('shows a schedule; its variables only to its owner and to masters', async () => {
    const { id } = await createSchedule();
    const variable = { key: 'TARGET', value: 'moon' };
    expect((await as(dan).post(`${schedules}/${id}/variables`, variable)).status).toBe(201);
    const shown = { status: 200, body: shape({ id, variables: [variable] }) };
    for (const person of [dan, max, ada, root]) {
      expect(await as(person).get(`${schedules}/${id}`)).toEqual(shown);
    }
    const { variables: _, ...withoutVariables } = shape({ id }) as Record<string, unknown>;
    expect(await as(eve).get(`${schedules}/${id}`)).toEqual({
      status: 200,
      body: withoutVariables,
    });
  });

  test('requires a developer; an unknown schedule, and one of another project, give 404', async () => {
    const { id } = await createSchedule();
    await expectDeveloperOnly((person, project) =>
      as(person).get(`/projects/${project}/pipeline_schedules/${id}`),
    );
    expect(await as(max).get(`/projects/${open}/pipeline_schedules/${id}`)).toEqual(missing);
    expect(await as(max).get(`${schedules}/0`)).toEqual(missing);
    expect(await as(max).get(`${schedules}/x`)).toEqual(
      refused.parameter('pipeline_schedule_id is invalid'),
    );
  });
});

describe('POST /projects/:id/pipeline_schedules', () => {
  test('creates a schedule owned by the caller, with the time of its next run', async () => {
    const response = await as(dan).post(schedules, input);
    expect(response).toEqual({ status: 201, body: shape() });
    const inTokyo = { ...input, cron: ' 30 9 * * * ', cron_timezone: 'Tokyo', active: false };
    expect(await as(dan).post(schedules, inTokyo)).toEqual({
      status: 201,
      body: shape({
        cron: '30 9 * * *',
        cron_timezone: 'Tokyo',
        next_run_at: expect.stringMatching(/T00:30:00\.000Z$/),
        active: false,
      }),
    });
  });

  test('requires a developer, jobs and a project that is not archived', async () => {
    const create = (person: typeof dan | null, project: number) =>
      as(person).post(`/projects/${project}/pipeline_schedules`, input);
    expect(await create(null, open)).toEqual(refused.anonymous);
    for (const person of [sam, gus, rita]) {
      expect(await create(person, open)).toEqual(refused.forbidden);
    }
    expect(await create(sam, app)).toEqual(refused.missing('Project'));
    const { id: archived } = await seed.project('acme/archived', roles);
    await as(max).post(`/projects/${archived}/pipeline_schedules`, input);
    await as(ada).post(`/projects/${archived}/archive`);
    expect(await create(max, archived)).toEqual(refused.forbidden);
    const { id: without } = await seed.project('acme/without', roles, { jobs_enabled: false });
    expect(await create(max, without)).toEqual(refused.forbidden);
    expect(await as(max).get(`/projects/${without}/pipeline_schedules`)).toEqual(refused.forbidden);
  });

  test('rejects missing and invalid values', async () => {
    const create = (given: object) => as(dan).post(schedules, { ...input, ...given });
    expect(await as(dan).post(schedules)).toEqual(
      refused.parameter('description is missing, ref is missing, cron is missing'),
    );
    for (const cron of ['', '* * * *', '0 1 * * * *', '60 * * * *', '@daily', 'a b c d e']) {
      expect(await create({ cron })).toEqual(refused.invalid({ cron: ['is invalid syntax'] }));
    }
    const zone = refused.invalid({ cron_timezone: ['is invalid syntax'] });
    for (const cron_timezone of ['', 'Nowhere', '+02:00']) {
      expect(await create({ cron_timezone })).toEqual(zone);
    }
    expect(await create({ description: ' ', ref: 'x'.repeat(256) })).toEqual(
      refused.invalid({
        description: ["can't be blank"],
        ref: ['is too long (maximum is 255 characters)'],
      }),
    );
  });

  test('a project has at most 100 schedules', async () => {
    const { id: full } = await seed.project('acme/full', roles);
    const row = { ...input, projectId: full, ownerId: dan.id, nextRunAt: new Date() };
    await db.pipelineSchedule.createMany({
      data: Array.from({ length: 99 }, () => ({ ...row, isActive: false })),
    });
    const create = () => as(dan).post(`/projects/${full}/pipeline_schedules`, input);
    const statuses = (await Promise.all([create(), create()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 400]);
    expect(await create()).toEqual(
      refused.invalid({ base: ['Maximum number of pipeline schedules (100) exceeded'] }),
    );
  });
});

describe('PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id', () => {
  test('changes the given fields and the time of the next run', async () => {
    const { id } = await createSchedule();
    const update = (body: object) => as(dan).put(`${schedules}/${id}`, { ...body });
    const weekly = { description: 'weekly', cron: '15 4 * * 7', active: false };
    const changed = { ...weekly, next_run_at: expect.stringMatching(/T04:15:00\.000Z$/) };
    expect(await update(weekly)).toEqual({ status: 200, body: shape({ id, ...changed }) });
    expect(await update({})).toEqual({ status: 200, body: shape({ id, ...changed }) });
    expect(await update({ cron_timezone: 'Asia/Kolkata', ref: 'stable' })).toMatchObject({
      body: { ref: 'stable', next_run_at: expect.stringMatching(/T22:45:00\.000Z$/) },
    });
    expect(await update({ cron: 'x' })).toEqual(refused.invalid({ cron: ['is invalid syntax'] }));
  });

  test('computes the next run again only if the times change or it is activated', async () => {
    const { id } = await createSchedule(dan, app, { active: false });
    const past = new Date('2017-10-01T01:00:00Z');
    const nextRunAt = async (body: object) => {
      await db.pipelineSchedule.update({ where: { id }, data: { nextRunAt: past } });
      expect((await as(dan).put(`${schedules}/${id}`, { ...body })).status).toBe(200);
      return (await db.pipelineSchedule.findUniqueOrThrow({ where: { id } })).nextRunAt;
    };
    expect(await nextRunAt({ description: 'weekly', ref: 'stable' })).toEqual(past);
    expect(await nextRunAt({ active: false })).toEqual(past);
    for (const body of [{ cron: '0 3 * * *' }, { cron_timezone: 'Tokyo' }, { active: true }]) {
      expect((await nextRunAt(body)).getTime()).toBeGreaterThan(Date.now());
    }
  });

  test('requires its owner or a master', async () => {
    const { id } = await createSchedule();
    const body = { description: 'weekly' };
    await expectDeveloperOnly((person, project) =>
      as(person).put(`/projects/${project}/pipeline_schedules/${id}`, body),
    );
    expect(await as(eve).put(`${schedules}/${id}`, body)).toEqual(refused.forbidden);
    for (const person of [max, ada, root]) {
      expect((await as(person).put(`${schedules}/${id}`, body)).status).toBe(200);
    }
    expect(await as(max).put(`/projects/${open}/pipeline_schedules/${id}`, body)).toEqual(missing);
    expect(await as(max).put(`${schedules}/0`, body)).toEqual(missing);
  });
});

describe('POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership', () => {
  const take = (person: typeof dan | null, id: number, project = app) =>
    as(person).post(`/projects/${project}/pipeline_schedules/${id}/take_ownership`);

  test('makes the caller the owner', async () => {
    const { id } = await createSchedule();
    expect(await take(max, id)).toEqual({
      status: 201,
      body: shape({ id, owner: basicUserShape(url, max) }),
    });
    expect(await take(dan, id)).toEqual(refused.forbidden);
  });

  test('succeeds each time if the caller does it several times at once', async () => {
    const { id } = await createSchedule();
    const answers = await Promise.all(Array.from({ length: 8 }, () => take(max, id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  });

  test('requires its owner or a master', async () => {
    const { id } = await createSchedule();
    await expectDeveloperOnly((person, project) => take(person, id, project));
    expect(await take(eve, id)).toEqual(refused.forbidden);
    expect(await take(max, id, open)).toEqual(missing);
    expect(await take(max, 0)).toEqual(missing);
  });
});

describe('POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play', () => {
  const play = (person: typeof dan | null, id: number, project = app) =>
    as(person).post(`/projects/${project}/pipeline_schedules/${id}/play`);

  test('creates a pipeline of the caller with the variables; the next run stays', async () => {
    const { id, next_run_at } = await createSchedule();
    await as(dan).post(`${schedules}/${id}/variables`, { key: 'TARGET', value: 'moon' });
    expect(await play(eve, id)).toEqual({ status: 201, body: { message: '201 Created' } });
    const pipeline = await db.pipeline.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(pipeline).toMatchObject({ source: 'schedule', ref: 'master', sha, userId: eve.id });
    expect(JSON.parse(secrets.open(pipeline.variablesSealed ?? ''))).toEqual({ TARGET: 'moon' });
    const last_pipeline = { id: pipeline.id, sha, ref: 'master', status: 'pending' };
    expect(await as(dan).get(`${schedules}/${id}`)).toMatchObject({
      body: { last_pipeline, next_run_at },
    });
  });

  test('requires a developer who may run pipelines of the ref, and a ref', async () => {
    const { id } = await createSchedule();
    await expectDeveloperOnly((person, project) => play(person, id, project));
    expect(await play(max, id, open)).toEqual(missing);
    expect(await play(max, 0)).toEqual(missing);
    const protectedBranch = { name: 'master', push_access_level: 40, merge_access_level: 40 };
    await as(max).post(`/projects/${app}/protected_branches`, protectedBranch);
    expect(await play(dan, id)).toEqual(refused.forbidden);
    expect((await play(max, id)).status).toBe(201);
    await as(max).delete(`/projects/${app}/protected_branches/master`);
    const { id: lost } = await createSchedule(dan, app, { ref: 'lost' });
    expect(await play(dan, lost)).toEqual(refused.invalid({ base: ['Reference not found'] }));
  });
});

describe('DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id', () => {
  test('deletes the schedule and keeps its pipelines', async () => {
    const { id } = await createSchedule();
    await as(dan).post(`${schedules}/${id}/play`);
    const { lastPipelineId } = await db.pipelineSchedule.findUniqueOrThrow({ where: { id } });
    expect(await as(dan).delete(`${schedules}/${id}`)).toEqual({ status: 204, body: null });
    expect(await as(dan).delete(`${schedules}/${id}`)).toEqual(missing);
    expect(await db.pipeline.count({ where: { id: lastPipelineId ?? 0 } })).toBe(1);
  });

  test('requires its owner or a master, and If-Unmodified-Since keeps a changed schedule', async () => {
    const { id } = await createSchedule();
    await expectDeveloperOnly((person, project) =>
      as(person).delete(`/projects/${project}/pipeline_schedules/${id}`),
    );
    expect(await as(eve).delete(`${schedules}/${id}`)).toEqual(refused.forbidden);
    expect(await as(max).delete(`/projects/${open}/pipeline_schedules/${id}`)).toEqual(missing);
    const response = await as(max).fetch(`${schedules}/${id}`, {
      method: 'DELETE',
      headers: { 'If-Unmodified-Since': 'Sun, 01 Oct 2017 12:00:00 GMT' },
    });
    expect(response.status).toBe(412);
  });
});
