import { describe, expect, test } from 'vitest';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import { ciFile, ciOf, pipelineShape } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { basicUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const here = await world();
const { as, seed, root, url, db, dataFolder } = here;
const { jobs, deletePushPipelines } = await ciOf(here);
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

async function made(person = max, description = 'nightly', project = app): Promise<Trigger> {
  const { status, body } = await as(person).post(`/projects/${project}/triggers`, { description });
  expect(status).toBe(201);
  return body as Trigger;
}

const shape = (traits: object = {}) => ({
  id: expect.any(Number),
  token: expect.stringMatching(/^[0-9a-f]{30}$/),
  description: 'nightly',
  created_at: instant,
  updated_at: instant,
  deleted_at: null,
  last_used: null,
  owner: basicUserShape(url, max),
  ...traits,
});

const missing = refused.missing('Trigger');

type Asking = (person: Parameters<typeof as>[0], project?: number) => Promise<unknown>;

/** Nobody below a master gets to know that there are any. */
async function isForMasters(ask: Asking) {
  expect(await ask(null)).toEqual(refused.anonymous);
  expect(await ask(null, open)).toEqual(refused.anonymous);
  expect(await ask(sam)).toEqual(refused.missing('Project'));
  expect(await ask(sam, open)).toEqual(refused.forbidden);
  for (const person of [gus, rita, dan]) expect(await ask(person)).toEqual(refused.forbidden);
}

describe('GET /projects/:id/triggers', () => {
  test('shows the triggers of a project, the oldest first', async () => {
    const list = `/projects/${open}/triggers`;
    const first = await made(max, 'nightly', open);
    const second = await made(ada, 'by hand', open);
    const all = await as(max).get(list);
    expect(all).toEqual({
      status: 200,
      body: [
        shape(first),
        shape({
          id: second.id,
          // another's, told by its beginning
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

  test('is for masters', async () => {
    await isForMasters((person, id = app) => as(person).get(`/projects/${id}/triggers`));
    for (const person of [max, ada, root]) {
      expect((await as(person).get(triggers)).status).toBe(200);
    }
  });
});

describe('GET /projects/:id/triggers/:trigger_id', () => {
  test('shows a trigger, its token whole to its owner alone', async () => {
    const { id, token } = await made();
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

  test('is for masters, and knows none of another project', async () => {
    const { id } = await made();
    await isForMasters((person, of = app) => as(person).get(`/projects/${of}/triggers/${id}`));
    expect(await as(max).get(`/projects/${open}/triggers/${id}`)).toEqual(missing);
    expect(await as(max).get(`${triggers}/0`)).toEqual(missing);
    expect(await as(max).get(`${triggers}/x`)).toEqual(refused.parameter('trigger_id is invalid'));
  });
});

describe('POST /projects/:id/triggers', () => {
  const body = { description: 'nightly' };

  test('makes a trigger in the name of whoever asks', async () => {
    const answer = await as(max).post(triggers, body);
    expect(answer).toEqual({ status: 201, body: shape() });
    const { id, token } = answer.body as Trigger;
    const kept = await db.trigger.findUniqueOrThrow({ where: { id } });
    expect(kept).toMatchObject({ projectId: app, ownerId: max.id });
    expect(kept.tokenSealed).not.toContain(token);
    expect(Buffer.from(kept.tokenDigest).toString()).not.toContain(token);
  });

  test('is for masters', async () => {
    await isForMasters((person, of = app) => as(person).post(`/projects/${of}/triggers`, body));
    for (const person of [max, ada, root]) {
      expect((await as(person).post(triggers, body)).status).toBe(201);
    }
  });

  test('needs a description that is not too long', async () => {
    expect(await as(max).post(triggers)).toEqual(refused.parameter('description is missing'));
    expect(await as(sam).post(triggers)).toEqual(refused.parameter('description is missing'));
    expect(await as(max).post(triggers, { description: 'x'.repeat(256) })).toEqual(
      refused.invalid({ description: ['is too long (maximum is 255 characters)'] }),
    );
  });
});

describe('PUT /projects/:id/triggers/:trigger_id', () => {
  test('says what it is for', async () => {
    const { id, token } = await made();
    const path = `${triggers}/${id}`;
    const changed = { status: 200, body: shape({ id, token, description: 'weekly' }) };
    expect(await as(max).put(path, { description: 'weekly' })).toEqual(changed);
    expect(await as(max).put(path, {})).toEqual(changed);
    expect(await as(max).put(path, { description: 'x'.repeat(256) })).toEqual(
      refused.invalid({ description: ['is too long (maximum is 255 characters)'] }),
    );
  });

  test('is for masters, and knows none of another project', async () => {
    const { id } = await made();
    const body = { description: 'weekly' };
    await isForMasters((person, of = app) =>
      as(person).put(`/projects/${of}/triggers/${id}`, body),
    );
    for (const person of [ada, root]) {
      expect((await as(person).put(`${triggers}/${id}`, body)).status).toBe(200);
    }
    expect(await as(max).put(`/projects/${open}/triggers/${id}`, body)).toEqual(missing);
    expect(await as(max).put(`${triggers}/0`, body)).toEqual(missing);
  });
});

describe('POST /projects/:id/triggers/:trigger_id/take_ownership', () => {
  test('makes it act for whoever asks, who sees its token from then on', async () => {
    const { id, token } = await made();
    expect(await as(ada).post(`${triggers}/${id}/take_ownership`)).toEqual({
      status: 200,
      body: shape({ id, token, owner: basicUserShape(url, ada) }),
    });
    expect(await as(max).get(`${triggers}/${id}`)).toMatchObject({
      body: { token: token.slice(0, 4) },
    });
  });

  test('is for masters, and knows none of another project', async () => {
    const { id } = await made();
    await isForMasters((person, of = app) =>
      as(person).post(`/projects/${of}/triggers/${id}/take_ownership`),
    );
    expect(await as(max).post(`/projects/${open}/triggers/${id}/take_ownership`)).toEqual(missing);
    expect(await as(max).post(`${triggers}/0/take_ownership`)).toEqual(missing);
  });
});

describe('DELETE /projects/:id/triggers/:trigger_id', () => {
  test('removes it, and leaves what it made', async () => {
    const { id, token } = await made();
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

  test('is for masters, and not for what was changed meanwhile', async () => {
    const { id } = await made();
    await isForMasters((person, of = app) => as(person).delete(`/projects/${of}/triggers/${id}`));
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
  test('makes a pipeline in the name of the owner, whoever shows the token', async () => {
    const { id, token } = await made();
    const answer = await as(null).post(path, { token, ref: 'master' });
    expect(answer).toEqual({ status: 201, body: pipelineShape(url, { sha, user: max }) });
    const pipeline = answer.body as { id: number };
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

  test('refuses any other token, and does not tell which projects there are', async () => {
    const { token } = await made();
    const nothing = { status: 404, body: { message: '404 Not Found' } };
    const body = { ref: 'master', token };
    expect(await as(null).post(path, { ...body, token: 'x' })).toEqual(nothing);
    expect(await as(null).post(path, { ...body, token: token.slice(0, 4) })).toEqual(nothing);
    for (const place of [open, 'nowhere%2Fat-all', '0']) {
      expect(await as(null).post(path.replace(`/${app}/`, `/${place}/`), body)).toEqual(nothing);
    }
    expect(await as(null).post(path, { ref: 'master' })).toEqual(
      refused.parameter('token is missing'),
    );
  });

  test('takes variables as JSON, as a form and in the query', async () => {
    const { token } = await made();
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

const nightly = await made();

describe('POST /projects/:id/trigger/pipeline', () => {
  const path = `/projects/${app}/trigger/pipeline`;
  const { token, id } = nightly;
  const run = (given: object) => as(null).post(path, { token, ref: 'master', ...given });
  const base = (text: string) => refused.invalid({ base: [text] });

  test('gives its variables to the jobs, and says that it made them', async () => {
    await db.pipeline.deleteMany({ where: { projectId: app } });
    const { body } = await run({ variables: { TARGET: 'moon' } });
    const runner = await runnersOf(here).specific([app]);
    const { job } = await runnerClient(url, runner.token).request();
    const made = await db.job.findFirstOrThrow({ where: { id: job?.id ?? 0 } });
    expect(made).toMatchObject({ pipelineId: (body as Trigger).id, name: 'compile' });
    expect(job?.variables).toEqual(
      expect.arrayContaining([
        { key: 'TARGET', value: 'moon', public: false },
        { key: 'CI_PIPELINE_TRIGGERED', value: 'true', public: true },
        { key: 'CI_PIPELINE_SOURCE', value: 'trigger', public: true },
      ]),
    );
  });

  test('refuses a reference that is not there', async () => {
    expect(await run({ ref: 'nowhere' })).toEqual(base('Reference not found'));
    expect(await as(null).post(path, { token })).toEqual(refused.parameter('ref is missing'));
  });

  test('refuses variables that no job can have', async () => {
    const invalid = refused.parameter('variables is invalid');
    expect(await run({ variables: ['x'] })).toEqual(invalid);
    expect(await run({ variables: 'x' })).toEqual(invalid);
    expect(await run({ variables: { a: { b: 'c' } } })).toEqual(invalid);
    const refusedBecause = (text: string) => refused.invalid({ variables: [text] });
    expect(await run({ variables: { 'A B': 'x' } })).toEqual(
      refusedBecause("A B can contain only letters, digits and '_'."),
    );
    const many = Array.from({ length: 101 }, (_, n) => [`V${n}`, 'x']);
    expect(await run({ variables: Object.fromEntries(many) })).toEqual(
      refusedBecause('are too many (maximum is 100)'),
    );
    expect(await run({ variables: { A: 'x'.repeat(65_536) } })).toEqual(
      refusedBecause('are too long together (maximum is 65536 characters)'),
    );
  });

  test('is worth what its owner may do', async () => {
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

  test('makes nothing where jobs are off, nor of a project that is gone', async () => {
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
