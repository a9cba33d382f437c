import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { graphqlClientOf } from '../../support/graphql.ts';
import { visitorAt } from '../../support/visitor.ts';
import { world } from '../../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
await seed.group('acme', { owner: ada });
const { id } = await seed.project('acme/app');
const sha = await seed.push('acme/app', { 'a.ts': 'a' });
const graphql = graphqlClientOf(url);
const visitor = visitorAt(url);
await visitor.signIn(root);

const malformed = [null, 'text', 1, [], {}, { commitCount: 'x', action: 1, ref: [], refType: 'y' }];

test('events whose push is malformed break no list', async () => {
  const before = (await as(root).get(`/projects/${id}/events`)).body as readonly object[];
  for (const push of malformed)
    await db.$executeRaw`INSERT INTO events (project_id, author_id, action, push)
      VALUES (${id}, ${ada.id}, 'pushed', ${JSON.stringify(push)}::jsonb)`;
  const { status, body } = await as(root).get(`/projects/${id}/events`);
  expect(status).toBe(200);
  expect(body).toHaveLength(malformed.length + before.length);
  expect((await as(ada).get('/events')).status).toBe(200);
  const query = `query ($id: ID!) { project(id: $id) { events { nodes {
    push { commitCount action refType commitFrom commitTo ref commitTitle } } } } }`;
  expect((await graphql(root, query, { id: 'acme/app' })).body.errors).toBeUndefined();
  for (const page of ['/acme/app', '/acme/app/activity', '/ada']) {
    const { status: shown } = await visitor.get(page);
    expect([200, 404]).toContain(shown);
  }
});

test('malformed counts of languages and payloads of jobs break nothing', async () => {
  for (const bytes of malformed) {
    await db.$executeRaw`INSERT INTO project_languages (project_id, sha, bytes)
      VALUES (${id}, ${sha}, ${JSON.stringify(bytes)}::jsonb)
      ON CONFLICT (project_id) DO UPDATE SET bytes = excluded.bytes`;
    expect((await as(root).get(`/projects/${id}/languages`)).status).toBe(200);
    await db.$executeRaw`INSERT INTO dead_letters (job_id, kind, payload, attempts, error, is_fatal, enqueued_at)
      VALUES (${randomUUID()}::uuid, 'unknown', ${JSON.stringify(bytes)}::jsonb, 1, '', false, now())`;
  }
  const query = '{ admin { deadLetters { nodes { id kind payload } } } }';
  expect((await graphql(root, query)).body.errors).toBeUndefined();
  expect((await visitor.get('/admin/jobs')).status).toBe(200);
});

test('sealed values that do not open break no list', async () => {
  for (const key of ['GOOD', 'BAD'])
    await as(ada).post(`/projects/${id}/variables`, { key, value: 'some value' });
  await db.variable.updateMany({ where: { key: 'BAD' }, data: { valueSealed: 'damaged' } });
  expect((await as(ada).get(`/projects/${id}/variables`)).body).toMatchObject([
    { key: 'GOOD', value: 'some value' },
    { key: 'BAD', value: '' },
  ]);
  await visitor.get('/acme/app/settings/ci_cd');
  await db.$executeRaw`UPDATE projects SET runners_token_sealed = 'damaged' WHERE id = ${id}`;
  expect((await as(ada).get('/projects')).status).toBe(200);
  expect((await as(ada).get(`/projects/${id}`)).status).toBe(200);
});

test('a time that JavaScript cannot hold breaks no list', async () => {
  await db.$executeRaw`UPDATE projects SET last_activity_at = 'infinity' WHERE id = ${id}`;
  await db.$executeRaw`UPDATE events SET created_at = '-infinity' WHERE project_id = ${id}`;
  expect((await as(root).get('/projects')).status).toBe(200);
  expect((await as(root).get(`/projects/${id}`)).status).toBe(200);
  expect((await as(root).get(`/projects/${id}/events`)).status).toBe(200);
  expect((await visitor.get('/acme/app')).status).toBe(200);
});
