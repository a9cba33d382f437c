import { describe, expect, test } from 'vitest';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import { ciFile, ciOf, pipelineShape } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { basicUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db, dataFolder } = testWorld;
const { jobs, deletePushPipelines } = await ciOf(testWorld);
const ada = await seed.user('ada');
const max = await seed.user('max');
const dan = await seed.user('dan');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const roles = { master: max, developer: dan, reporter: rita, guest: gus };
const { id: app } = await seed.project('acme/app', roles);
const sha = await seed.push('acme/app', { '.gitlab-ci.yml': ciFile });
await deletePushPipelines(app);
const { id: open } = await seed.project('acme/open', roles, { visibility: 'public' });
const triggers = `/projects/${app}/triggers`;
const secrets = await unlockSecrets(dataFolder, db);

interface Trigger {
  readonly id: number;
  readonly token: string;
}

async function createTrigger(
  person = max,
  description = 'nightly',
  project = app,
): Promise<Trigger> {
  const { status, body } = await as(person).post(`/projects/${project}/triggers`, { description });
  expect(status).toBe(201);
  return body as Trigger;
}

const shape = (overrides: object = {}) => ({
  id: expect.any(Number),
  token: expect.stringMatching(/^[0-9a-f]{30}$/),
  description: 'nightly',
  created_at: instant,
  updated_at: instant,
  deleted_at: null,
  last_used: null,
  owner: basicUserShape(url, max),
  ...overrides,
});

const missing = refused.missing('Trigger');

type MasterRequest = (person: Parameters<typeof as>[0], project?: number) => Promise<unknown>;

/** Checks that the request is refused to every user below master. */
async function expectMasterOnly(send: MasterRequest) {
  expect(await send(null)).toEqual(refused.anonymous);
  expect(await send(null, open)).toEqual(refused.anonymous);
  expect(await send(sam)).toEqual(refused.missing('Project'));
  expect(await send(sam, open)).toEqual(refused.forbidden);
  for (const person of [gus, rita, dan]) expect(await send(person)).toEqual(refused.forbidden);
}

describe('GET /projects/:id/triggers', () => {
  test('lists the triggers of a project, the oldest first', async () => {
    const list = `/projects/${open}/triggers`;
    const first = await createTrigger(max, 'nightly', open);
    const second = await createTrigger(ada, 'by hand', open);
    const all = await as(max).get(list);
    expect(all).toEqual({
      status: 200,
      body: [
        shape(first),
        shape({
          id: second.id,
          // the token of another user is truncated
          token: second.token.slice(0, 4),
          description: 'by hand',
          owner: basicUserShape(url, ada),
        }),
      ],
    });
    const response = await as(root).fetch(`${list}?per_page=1&page=2`);
    expect(response.headers.get('X-Total')).toBe('2');
    expect(await response.json()).toMatchObject([{ id: second.id }]);
  });

  test('requires a master', async () => {
    await expectMasterOnly((person, id = app) => as(person).get(`/projects/${id}/triggers`));
    for (const person of [max, ada, root]) {
      expect((await as(person).get(triggers)).status).toBe(200);
    }
  });
});

describe('GET /projects/:id/triggers/:trigger_id', () => {
  test('shows a trigger; only its owner sees the full token', async () => {
    const { id, token } = await createTrigger();
    expect(await as(max).get(`${triggers}/${id}`)).toEqual({
      status: 200,
      body: shape({ id, token }),
    });
    for (const person of [ada, root]) {
      expect(await as(person).get(`${triggers}/${id}`)).toEqual({
        status: 200,
        body: shape({ id, token: token.slice(0, 4) }),
      });
    }
  });

  test('requires a master; an unknown trigger, and a trigger of another project, give 404', async () => {
    const { id } = await createTrigger();
    await expectMasterOnly((person, project = app) =>
      as(person).get(`/projects/${project}/triggers/${id}`),
    );
    expect(await as(max).get(`/projects/${open}/triggers/${id}`)).toEqual(missing);
    expect(await as(max).get(`${triggers}/0`)).toEqual(missing);
    expect(await as(max).get(`${triggers}/x`)).toEqual(refused.parameter('trigger_id is invalid'));
  });
});

describe('POST /projects/:id/triggers', () => {
  const body = { description: 'nightly' };

  test('creates a trigger owned by the caller', async () => {
    const response = await as(max).post(triggers, body);
    expect(response).toEqual({ status: 201, body: shape() });
    const { id, token } = response.body as Trigger;
    const row = await db.trigger.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ projectId: app, ownerId: max.id });
    expect(row.tokenSealed).not.toContain(token);
    expect(Buffer.from(row.tokenDigest).toString()).not.toContain(token);
  });

  test('requires a master', async () => {
    await expectMasterOnly((person, project = app) =>
      as(person).post(`/projects/${project}/triggers`, body),
    );
    for (const person of [max, ada, root]) {
      expect((await as(person).post(triggers, body)).status).toBe(201);
    }
  });

  test('requires a description of at most 255 characters', async () => {
    expect(await as(max).post(triggers)).toEqual(refused.parameter('description is missing'));
    expect(await as(sam).post(triggers)).toEqual(refused.parameter('description is missing'));
    expect(await as(max).post(triggers, { description: 'x'.repeat(256) })).toEqual(
      refused.invalid({ description: ['is too long (maximum is 255 characters)'] }),
    );
  });
});

describe('PUT /projects/:id/triggers/:trigger_id', () => {
  test('changes the description', async () => {
    const { id, token } = await createTrigger();
    const path = `${triggers}/${id}`;
    const changed = { status: 200, body: shape({ id, token, description: 'weekly' }) };
    expect(await as(max).put(path, { description: 'weekly' })).toEqual(changed);
    expect(await as(max).put(path, {})).toEqual(changed);
    expect(await as(max).put(path, { description: 'x'.repeat(256) })).toEqual(
      refused.invalid({ description: ['is too long (maximum is 255 characters)'] }),
    );
  });

  test('requires a master; an unknown trigger, and a trigger of another project, give 404', async () => {
    const { id } = await createTrigger();
    const body = { description: 'weekly' };
    await expectMasterOnly((person, project = app) =>
      as(person).put(`/projects/${project}/triggers/${id}`, body),
    );
    for (const person of [ada, root]) {
      expect((await as(person).put(`${triggers}/${id}`, body)).status).toBe(200);
    }
    expect(await as(max).put(`/projects/${open}/triggers/${id}`, body)).toEqual(missing);
    expect(await as(max).put(`${triggers}/0`, body)).toEqual(missing);
  });
});

describe('POST /projects/:id/triggers/:trigger_id/take_ownership', () => {
  test('makes the caller the owner, who then sees the full token', async () => {
    const { id, token } = await createTrigger();
    expect(await as(ada).post(`${triggers}/${id}/take_ownership`)).toEqual({
      status: 200,
      body: shape({ id, token, owner: basicUserShape(url, ada) }),
    });
    expect(await as(max).get(`${triggers}/${id}`)).toMatchObject({
      body: { token: token.slice(0, 4) },
    });
  });

  test('requires a master; an unknown trigger, and a trigger of another project, give 404', async () => {
    const { id } = await createTrigger();
    await expectMasterOnly((person, project = app) =>
      as(person).post(`/projects/${project}/triggers/${id}/take_ownership`),
    );
    expect(await as(max).post(`/projects/${open}/triggers/${id}/take_ownership`)).toEqual(missing);
    expect(await as(max).post(`${triggers}/0/take_ownership`)).toEqual(missing);
  });
});

describe('DELETE /projects/:id/triggers/:trigger_id', () => {
  test('deletes the trigger and keeps its pipelines', async () => {
    const { id, token } = await createTrigger();
    const run = await as(null).post(`/projects/${app}/trigger/pipeline`, { token, ref: 'master' });
    expect(run.status).toBe(201);
    expect(await as(ada).delete(`${triggers}/${id}`)).toEqual({ status: 204, body: null });
    expect(await as(max).delete(`${triggers}/${id}`)).toEqual(missing);
    const { id: pipelineId } = run.body as Trigger;
    expect(await db.pipeline.findUnique({ where: { id: pipelineId } })).toMatchObject({
      source: 'trigger',
      triggerId: null,
    });
    expect(await as(null).post(`/projects/${app}/trigger/pipeline`, { token, ref: 'x' })).toEqual({
      status: 404,
      body: { message: '404 Not Found' },
    });
  });

  test('requires a master, and If-Unmodified-Since keeps a trigger that was changed later', async () => {
    const { id } = await createTrigger();
    await expectMasterOnly((person, project = app) =>
      as(person).delete(`/projects/${project}/triggers/${id}`),
    );
    expect(await as(max).delete(`/projects/${open}/triggers/${id}`)).toEqual(missing);
    const response = await as(max).fetch(`${triggers}/${id}`, {
      method: 'DELETE',
      headers: { 'If-Unmodified-Since': 'Sun, 01 Oct 2017 12:00:00 GMT' },
    });
    expect(response.status).toBe(412);
  });
});

const places = [
  ['/projects/:id/trigger/pipeline', `/projects/${app}/trigger/pipeline`],
  ['/projects/:id/ref/:ref/trigger/pipeline', `/projects/${app}/ref/master/trigger/pipeline`],
] as const;

describe.each(places)('POST %s', (_path, path) => {
  test('creates a pipeline of the owner for any caller with the token', async () => {
    const { id, token } = await createTrigger();
    const response = await as(null).post(path, { token, ref: 'master' });
    expect(response).toEqual({ status: 201, body: pipelineShape(url, { sha, user: max }) });
    const pipeline = response.body as { id: number };
    expect(await db.pipeline.findUnique({ where: { id: pipeline.id } })).toMatchObject({
      source: 'trigger',
      triggerId: id,
      userId: max.id,
      variablesSealed: null,
    });
    expect(await jobs(pipeline.id)).toContain('compile: pending');
    const job = await db.job.findFirstOrThrow({ where: { pipelineId: pipeline.id } });
    expect(job.userId).toBe(max.id);
    expect(await as(max).get(`${triggers}/${id}`)).toMatchObject({
      body: { last_used: instant },
    });
    expect((await as(sam).post(path, { token, ref: 'master' })).status).toBe(201);
  });

  test('any other token gives 404, without revealing which projects exist', async () => {
    const { token } = await createTrigger();
    const notFound = { status: 404, body: { message: '404 Not Found' } };
    const body = { ref: 'master', token };
    expect(await as(null).post(path, { ...body, token: 'x' })).toEqual(notFound);
    expect(await as(null).post(path, { ...body, token: token.slice(0, 4) })).toEqual(notFound);
    for (const place of [open, 'nowhere%2Fat-all', '0']) {
      expect(await as(null).post(path.replace(`/${app}/`, `/${place}/`), body)).toEqual(notFound);
    }
    expect(await as(null).post(path, { ref: 'master' })).toEqual(
      refused.parameter('token is missing'),
    );
  });

  test('accepts variables as JSON, as a form and in the query', async () => {
    const { token } = await createTrigger();
    const variables = { TARGET: 'moon', LONG_NAME_2: 'a=b&c' };
    const pairs = Object.entries(variables).map(([key, value]) => [`variables[${key}]`, value]);
    const form = new URLSearchParams([['token', token], ['ref', 'master'], ...pairs]);
    const parts = new FormData();
    for (const [name, value] of form) parts.set(name, value);
    const requests: [string, RequestInit][] = [
      [path, { body: JSON.stringify({ token, ref: 'master', variables }) }],
      [path, { body: form }],
      [path, { body: parts }],
      [`${path}?${form}`, {}],
    ];
    for (const [place, init] of requests) {
      const isJson = typeof init.body === 'string';
      const headers = isJson ? { 'Content-Type': 'application/json' } : {};
      const response = await as(null).fetch(place, { method: 'POST', headers, ...init });
      expect(response.status).toBe(201);
      const { id } = (await response.json()) as { id: number };
      const { variablesSealed } = await db.pipeline.findUniqueOrThrow({ where: { id } });
      expect(JSON.parse(secrets.open(variablesSealed ?? ''))).toEqual(variables);
    }
  });
});

const nightly = await createTrigger();

describe('POST /projects/:id/trigger/pipeline', () => {
  const path = `/projects/${app}/trigger/pipeline`;
  const { token, id } = nightly;
  const run = (input: object) => as(null).post(path, { token, ref: 'master', ...input });
  const base = (text: string) => refused.invalid({ base: [text] });

  test('sends the variables of the trigger to the jobs', async () => {
    await db.pipeline.deleteMany({ where: { projectId: app } });
    const { body } = await run({ variables: { TARGET: 'moon' } });
    const runner = await runnersOf(testWorld).specific([app]);
    const { job } = await runnerClient(url, runner.token).request();
    const row = await db.job.findFirstOrThrow({ where: { id: job?.id ?? 0 } });
    expect(row).toMatchObject({ pipelineId: (body as Trigger).id, name: 'compile' });
    expect(job?.variables).toEqual(
      expect.arrayContaining([
        { key: 'TARGET', value: 'moon', public: false },
        { key: 'CI_PIPELINE_TRIGGERED', value: 'true', public: true },
        { key: 'CI_PIPELINE_SOURCE', value: 'trigger', public: true },
      ]),
    );
  });

  test('rejects an unknown ref', async () => {
    expect(await run({ ref: 'nowhere' })).toEqual(base('Reference not found'));
    expect(await as(null).post(path, { token })).toEqual(refused.parameter('ref is missing'));
  });

  test('rejects invalid variables', async () => {
    const invalid = refused.parameter('variables is invalid');
    expect(await run({ variables: ['x'] })).toEqual(invalid);
    expect(await run({ variables: 'x' })).toEqual(invalid);
    expect(await run({ variables: { a: { b: 'c' } } })).toEqual(invalid);
    const invalidVariables = (text: string) => refused.invalid({ variables: [text] });
    expect(await run({ variables: { 'A B': 'x' } })).toEqual(
      invalidVariables("A B can contain only letters, digits and '_'."),
    );
    const many = Array.from({ length: 101 }, (_, n) => [`V${n}`, 'x']);
    expect(await run({ variables: Object.fromEntries(many) })).toEqual(
      invalidVariables('are too many (maximum is 100)'),
    );
    expect(await run({ variables: { A: 'x'.repeat(65_536) } })).toEqual(
      invalidVariables('are too long together (maximum is 65536 characters)'),
    );
  });

  test('requires the current permissions of the owner', async () => {
    const refusal = base('Insufficient permissions to create a new pipeline');
    const membership = { projectId: app, userId: max.id };
    await db.member.updateMany({ where: membership, data: { accessLevel: 20 } });
    expect(await run({})).toEqual(refusal);
    await db.member.updateMany({ where: membership, data: { accessLevel: 40 } });
    await db.user.update({ where: { id: max.id }, data: { state: 'blocked' } });
    expect(await run({})).toEqual(refusal);
    await db.user.update({ where: { id: max.id }, data: { state: 'active' } });
    await db.trigger.update({ where: { id }, data: { ownerId: null } });
    expect(await run({})).toEqual(refusal);
    expect(await as(ada).get(`${triggers}/${id}`)).toMatchObject({
      body: { owner: null, token: token.slice(0, 4) },
    });
    await as(max).post(`${triggers}/${id}/take_ownership`);
    expect((await run({})).status).toBe(201);
  });

  test('is rejected if jobs are disabled, and gives 404 for a removed project', async () => {
    await db.project.update({ where: { id: app }, data: { jobsEnabled: false } });
    expect(await run({})).toEqual(base('Pipelines are disabled!'));
    await db.project.update({
      where: { id: app },
      data: { jobsEnabled: true, isRemoved: true },
    });
    expect(await run({})).toEqual({ status: 404, body: { message: '404 Not Found' } });
    await db.project.update({ where: { id: app }, data: { isRemoved: false } });
  });
});
