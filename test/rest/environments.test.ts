import { describe, expect, test } from 'vitest';
import { basicProjectShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const max = await seed.user('max');
const dan = await seed.user('dan');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const roles = { master: max, developer: dan, reporter: rita, guest: gus };
const { id: app } = await seed.project('acme/app', roles);
const { id: open } = await seed.project('acme/open', roles, { visibility: 'public' });
const environments = `/projects/${app}/environments`;

interface Environment {
  readonly id: number;
}

let count = 0;

async function createEnvironment(project = app): Promise<Environment & { readonly name: string }> {
  count += 1;
  const name = `staging-${count}`;
  const { status, body } = await as(dan).post(`/projects/${project}/environments`, { name });
  expect(status).toBe(201);
  return { ...(body as Environment), name };
}

const shape = (overrides: object = {}, project = { id: app, fullPath: 'acme/app' }) => ({
  id: expect.any(Number),
  name: 'production',
  slug: 'production',
  external_url: null,
  project: { ...basicProjectShape(url, project), created_at: instant },
  ...overrides,
});

type Send = (person: Parameters<typeof as>[0], project: number) => Promise<unknown>;

/** Checks that a request for an environment of `app` or `open` is refused to these users. */
async function expectRefused(send: Send, members: readonly (typeof ada)[]) {
  for (const project of [app, open]) {
    expect(await send(null, project)).toEqual(refused.anonymous);
    for (const person of members) expect(await send(person, project)).toEqual(refused.forbidden);
  }
  expect(await send(sam, app)).toEqual(refused.missing('Project'));
  expect(await send(sam, open)).toEqual(refused.forbidden);
}

describe('GET /projects/:id/environments', () => {
  test('lists the environments of a project, the oldest first', async () => {
    const first = await createEnvironment(open);
    const second = await createEnvironment(open);
    const path = `/projects/${open}/environments`;
    const project = { id: open, fullPath: 'acme/open' };
    const shapes = [first, second].map(({ id, name }) => shape({ id, name, slug: name }, project));
    expect(await as(rita).get(path)).toEqual({ status: 200, body: shapes });
    const response = await as(rita).fetch(`${path}?per_page=1&page=2`);
    expect(response.headers.get('X-Total')).toBe('2');
    expect(await response.json()).toEqual(shapes.slice(1));
  });

  test('shows one of them', async () => {
    const { id, name } = await createEnvironment(open);
    const path = `/projects/${open}/environments/${id}`;
    const body = shape({ id, name, slug: name }, { id: open, fullPath: 'acme/open' });
    expect(await as(rita).get(path)).toEqual({ status: 200, body });
    expect(await as(rita).get(`/projects/${open}/environments/999999`)).toEqual(refused.record);
    expect(await as(null).get(path)).toEqual(refused.anonymous);
  });

  test('requires a reporter, and jobs', async () => {
    await expectRefused(
      (person, project) => as(person).get(`/projects/${project}/environments`),
      [gus],
    );
    for (const person of [rita, dan, max, ada, root]) {
      expect((await as(person).get(environments)).status).toBe(200);
    }
    const { id: without } = await seed.project('acme/without', roles, { jobs_enabled: false });
    expect(await as(max).get(`/projects/${without}/environments`)).toEqual(refused.forbidden);
  });
});

describe('POST /projects/:id/environments', () => {
  test('creates an environment with a slug for host names', async () => {
    const body = { name: 'production', external_url: 'https://example.com' };
    expect(await as(dan).post(environments, body)).toEqual({
      status: 201,
      body: shape({ external_url: 'https://example.com' }),
    });
    expect(await as(dan).post(environments, { name: 'review/Fix-foo' })).toEqual({
      status: 201,
      body: shape({
        name: 'review/Fix-foo',
        slug: expect.stringMatching(/^review-fix-foo-\w{6}$/),
      }),
    });
  });

  test('requires a developer, and a project that is not archived', async () => {
    const create: Send = (person, project) =>
      as(person).post(`/projects/${project}/environments`, { name: 'refused' });
    await expectRefused(create, [gus, rita]);
    const { id: archived } = await seed.project('acme/archived', roles);
    await as(ada).post(`/projects/${archived}/archive`);
    expect(await create(max, archived)).toEqual(refused.forbidden);
  });

  test('rejects missing, invalid and taken values', async () => {
    const create = (body: object) => as(dan).post(environments, { ...body });
    expect(await create({})).toEqual(refused.parameter('name is missing'));
    expect(await create({ name: 'x', slug: 'x' })).toEqual(
      refused.parameter('slug is automatically generated and cannot be changed'),
    );
    expect(await create({ name: 'a:b', external_url: 'javascript:alert(1)' })).toEqual(
      refused.invalid({
        name: ["can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces"],
        external_url: ['must be a valid URL'],
      }),
    );
    expect(await create({ name: 'x'.repeat(256) })).toEqual(
      refused.invalid({ name: ['is too long (maximum is 255 characters)'] }),
    );
    const statuses = await Promise.all(
      Array.from({ length: 4 }, async () => (await create({ name: 'race' })).status),
    );
    expect(statuses.toSorted()).toEqual([201, 400, 400, 400]);
    expect(await create({ name: 'race' })).toEqual(
      refused.invalid({ name: ['has already been taken'] }),
    );
  });
});

describe('PUT /projects/:id/environments/:environment_id', () => {
  test('changes the name and the URL; the slug stays, and its former name gets another', async () => {
    const { id, name: slug } = await createEnvironment();
    const update = (body: object) => as(max).put(`${environments}/${id}`, { ...body });
    const renamed = { name: `${slug} two`, external_url: 'http://two.example.com' };
    expect(await update(renamed)).toEqual({ status: 200, body: shape({ id, slug, ...renamed }) });
    expect(await update({})).toEqual({ status: 200, body: shape({ id, slug, ...renamed }) });
    expect(await update({ external_url: null })).toMatchObject({ body: { external_url: null } });
    expect(await as(dan).post(environments, { name: slug })).toMatchObject({
      status: 201,
      body: { name: slug, slug: expect.stringMatching(new RegExp(`^${slug}-\\w{6}$`)) },
    });
    expect(await update({ name: slug })).toEqual(
      refused.invalid({ name: ['has already been taken'] }),
    );
    expect(await update({ slug: 'x' })).toEqual(
      refused.parameter('slug is automatically generated and cannot be changed'),
    );
  });

  test('requires a master; an unknown environment, and one of another project, give 404', async () => {
    const { id } = await createEnvironment();
    await expectRefused(
      (person, project) => as(person).put(`/projects/${project}/environments/${id}`, {}),
      [gus, rita, dan],
    );
    expect(await as(max).put(`/projects/${open}/environments/${id}`, {})).toEqual(refused.record);
    expect(await as(max).put(`${environments}/0`, {})).toEqual(refused.record);
    expect(await as(max).put(`${environments}/x`, {})).toEqual(
      refused.parameter('environment_id is invalid'),
    );
  });
});

describe('POST /projects/:id/environments/:environment_id/stop', () => {
  const stopOne = (person: typeof ada | null, id: number, project = app) =>
    as(person).post(`/projects/${project}/environments/${id}/stop`);

  test('without a job that stops it, a master stops an environment', async () => {
    const { id, name } = await createEnvironment();
    expect(await stopOne(dan, id)).toEqual(refused.forbidden);
    const stopped = { status: 200, body: shape({ id, name, slug: name }) };
    expect(await stopOne(max, id)).toEqual(stopped);
    expect(await stopOne(max, id)).toEqual(stopped);
    expect(await db.environment.findUnique({ where: { id } })).toMatchObject({ state: 'stopped' });
  });

  test('requires a developer; an unknown environment, and one of another project, give 404', async () => {
    const { id } = await createEnvironment();
    await expectRefused((person, project) => stopOne(person, id, project), [gus, rita]);
    expect(await stopOne(max, id, open)).toEqual(refused.record);
    expect(await stopOne(max, 0)).toEqual(refused.record);
  });
});

describe('DELETE /projects/:id/environments/:environment_id', () => {
  test('deletes an environment', async () => {
    const { id } = await createEnvironment();
    expect(await as(max).delete(`${environments}/${id}`)).toEqual({ status: 204, body: null });
    expect(await as(max).delete(`${environments}/${id}`)).toEqual(refused.record);
  });

  test('requires a master, and If-Unmodified-Since keeps a changed environment', async () => {
    const { id } = await createEnvironment();
    await expectRefused(
      (person, project) => as(person).delete(`/projects/${project}/environments/${id}`),
      [gus, rita, dan],
    );
    expect(await as(max).delete(`/projects/${open}/environments/${id}`)).toEqual(refused.record);
    const response = await as(max).fetch(`${environments}/${id}`, {
      method: 'DELETE',
      headers: { 'If-Unmodified-Since': 'Sun, 01 Oct 2017 12:00:00 GMT' },
    });
    expect(response.status).toBe(412);
  });
});
