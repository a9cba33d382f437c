import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { git, tryGit, workTree } from '../support/git.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import type { TestUser } from '../support/seed.ts';
import { masterFields, projectShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve', { isExternal: true });

const acme = await seed.group('acme', { owner: ada, master: bob });
const traitsOf = (id: number, path: string) => ({
  id,
  fullPath: `acme/${path}`,
  creatorId: root.id,
  namespaceId: acme.id,
});

const updatedAt = async (id: number) =>
  (await db.project.findUniqueOrThrow({ where: { id } })).updatedAt;

describe.each([
  ['archive', true],
  ['unarchive', false],
] as const)('POST /projects/:id/%s', (verb, archived) => {
  /** A project in the opposite state. */
  async function createProject(name: string) {
    const { id } = await seed.project(`acme/${verb}-${name}`);
    await db.project.update({ where: { id }, data: { isArchived: !archived } });
    return id;
  }

  test('an owner can, repeatedly', async () => {
    const id = await createProject('owned');
    const expected = {
      status: 201,
      body: {
        ...projectShape(url, traitsOf(id, `${verb}-owned`), [null, 50]),
        archived,
        ...masterFields,
      },
    };
    expect(await as(ada).post(`/projects/${id}/${verb}`)).toEqual(expected);
    const before = await updatedAt(id);
    expect(await as(ada).post(`/projects/acme%2F${verb}-owned/${verb}`)).toEqual(expected);
    expect(await updatedAt(id)).toEqual(before);
    expect(await as(ada).get(`/projects/${id}`)).toEqual({ status: 200, body: expected.body });
  });

  test('the owner of a personal project and an administrator can', async () => {
    const { id } = await seed.project(`carl/${verb}`);
    for (const person of [carl, root]) {
      await db.project.update({ where: { id }, data: { isArchived: !archived } });
      const { status, body } = await as(person).post(`/projects/${id}/${verb}`);
      expect({ status, body }).toMatchObject({ status: 201, body: { id, archived } });
    }
  });

  test('is forbidden for a master', async () => {
    const id = await createProject('guarded');
    const shared = await seed.project(`carl/shared-${verb}`, { master: bob });
    expect(await as(bob).post(`/projects/${id}/${verb}`)).toEqual(refused.forbidden);
    expect(await as(bob).post(`/projects/${shared.id}/${verb}`)).toEqual(refused.forbidden);
  });

  test('is refused to anonymous and other users', async () => {
    const id = await createProject('hidden');
    expect(await as(null).post(`/projects/${id}/${verb}`)).toEqual(refused.anonymous);
    for (const otherUser of [carl, eve]) {
      expect(await as(otherUser).post(`/projects/${id}/${verb}`)).toEqual(
        refused.missing('Project'),
      );
    }
    expect(await as(root).post(`/projects/0/${verb}`)).toEqual(refused.missing('Project'));
  });
});

test('an archived project is read-only and listed with archived=true', async () => {
  const { id } = await seed.project('acme/ledger', { developer: carl });
  await seed.push('acme/ledger', { 'README.md': '# Ledger' });
  const listIds = async (query: string) =>
    ((await as(carl).get(`/projects?search=ledger&${query}`)).body as { id: number }[]).map(
      (project) => project.id,
    );
  await as(ada).post(`/projects/${id}/archive`);
  expect(await listIds('')).toEqual([]);
  expect(await listIds('archived=false')).toEqual([]);
  expect(await listIds('archived=true')).toEqual([id]);

  const folder = await workTree({ 'a.txt': 'a' });
  const address = remote('acme/ledger', carl);
  expect((await tryGit(folder, 'fetch', '--quiet', address, 'master')).code).toBe(0);
  expect(await tryGit(folder, 'push', address, 'HEAD:topic')).toMatchObject({
    code: 128,
    stderr: expect.stringContaining('403'),
  });
  await as(ada).post(`/projects/${id}/unarchive`);
  await git(folder, 'push', '--quiet', address, 'HEAD:topic');
  expect(await listIds('')).toEqual([id]);
  await rm(folder, { recursive: true });
});

describe('the filter `archived` of GraphQL', async () => {
  await seed.group('plans', { owner: ada, developer: carl });
  const { id: archivedId } = await seed.project('plans/plan-old');
  const { id: activeId } = await seed.project('plans/plan-new');
  await as(ada).post(`/projects/${archivedId}/archive`);
  const [archived, active] = [`Project:${archivedId}`, `Project:${activeId}`];

  test.each([
    ['left out', '', [active]],
    ['null', ', archived: null', [active]],
    ['EXCLUDE', ', archived: EXCLUDE', [active]],
    ['INCLUDE', ', archived: INCLUDE', [archived, active]],
    ['ONLY', ', archived: ONLY', [archived]],
  ])('%s', async (_value, argument, ids) => {
    const query = `{ projects(filter: { search: "plan-"${argument} }, orderBy: ID, sort: ASC) { nodes { id } } }`;
    expect(await graphqlClientOf(url)(carl, query)).toEqual({
      status: 200,
      body: { data: { projects: { nodes: ids.map((id) => ({ id })) } } },
    });
  });

  test('is EXCLUDE in a list without a filter', async () => {
    const query = '{ group(id: "plans") { projects { nodes { id } } } }';
    const { body } = await graphqlClientOf(url)(carl, query);
    expect(body).toEqual({ data: { group: { projects: { nodes: [{ id: active }] } } } });
  });
});

/** The response to a request that changes nothing: 304 without a body. */
async function post(person: TestUser, path: string) {
  const response = await as(person).fetch(path, { method: 'POST' });
  return {
    status: response.status,
    type: response.headers.get('Content-Type'),
    body: await response.text(),
  };
}

const notModified = { status: 304, type: null, body: '' };

describe('POST /projects/:id/star', async () => {
  const { id } = await seed.project('acme/starred', {}, { visibility: 'private' });
  const path = `/projects/${id}`;

  test('a user stars a visible project once', async () => {
    const before = await updatedAt(id);
    const shape = projectShape(url, traitsOf(id, 'starred'), [null, 40]);
    const expected = { ...shape, star_count: 1, ...masterFields };
    expect(await as(bob).post(`${path}/star`)).toEqual({ status: 201, body: expected });
    expect(await post(bob, `${path}/star`)).toEqual(notModified);
    expect(await as(bob).get(path)).toEqual({ status: 200, body: expected });
    expect(await updatedAt(id)).toEqual(before);
  });

  test('starred=true lists the user’s own stars', async () => {
    const starred = async (person: TestUser | null) =>
      ((await as(person).get('/projects?starred=true')).body as { id: number }[]).map(
        (project) => project.id,
      );
    const { id: open } = await seed.project('carl/open', {}, { visibility: 'public' });
    expect((await as(carl).post(`/projects/${open}/star`)).status).toBe(201);
    expect((await as(eve).post('/projects/carl%2Fopen/star')).status).toBe(201);
    expect((await as(null).get(`/projects/${open}`)).body).toMatchObject({ star_count: 2 });
    expect(await starred(carl)).toEqual([open]);
    expect(await starred(eve)).toEqual([open]);
    expect(await starred(ada)).toEqual([]);
    expect(await starred(null)).toEqual([]);
  });

  test('a star on a project that became invisible is kept but not listed', async () => {
    const { id: closing } = await seed.project('carl/closing', {}, { visibility: 'internal' });
    await as(ada).post(`/projects/${closing}/star`);
    await as(carl).put(`/projects/${closing}`, { visibility: 'private' });
    expect(await as(ada).get('/projects?starred=true')).toEqual({ status: 200, body: [] });
    expect(await as(ada).post(`/projects/${closing}/unstar`)).toEqual(refused.missing('Project'));
    expect((await as(carl).get(`/projects/${closing}`)).body).toMatchObject({ star_count: 1 });
  });

  test('an archived project can be starred', async () => {
    const { id: old } = await seed.project('acme/old');
    await as(ada).post(`/projects/${old}/archive`);
    const { status, body } = await as(ada).post(`/projects/${old}/star`);
    expect({ status, body }).toMatchObject({ status: 201, body: { archived: true } });
  });

  test('is refused to anonymous and other users', async () => {
    expect(await as(null).post(`${path}/star`)).toEqual(refused.anonymous);
    expect(await as(null).post('/projects/carl%2Fopen/star')).toEqual(refused.anonymous);
    expect(await as(carl).post(`${path}/star`)).toEqual(refused.missing('Project'));
    expect(await as(bob).post('/projects/nothing/star')).toEqual(refused.missing('Project'));
  });
});

describe('POST /projects/:id/unstar', async () => {
  const { id } = await seed.project('acme/unstarred');
  const path = `/projects/${id}`;

  test('removes a star once', async () => {
    expect(await post(bob, `${path}/unstar`)).toEqual(notModified);
    await as(bob).post(`${path}/star`);
    const before = await updatedAt(id);
    expect(await as(bob).post(`${path}/unstar`)).toEqual({
      status: 201,
      body: { ...projectShape(url, traitsOf(id, 'unstarred'), [null, 40]), ...masterFields },
    });
    expect(await post(bob, `${path}/unstar`)).toEqual(notModified);
    expect(await updatedAt(id)).toEqual(before);
  });

  test('is refused to anonymous and other users', async () => {
    expect(await as(null).post(`${path}/unstar`)).toEqual(refused.anonymous);
    expect(await as(carl).post(`${path}/unstar`)).toEqual(refused.missing('Project'));
  });
});

test('concurrent stars and unstars keep the count consistent', async () => {
  const { id } = await seed.project('acme/crowded', {}, { visibility: 'private' });
  const users = await Promise.all(
    ['fay', 'gus', 'hal', 'ida', 'jon'].map((name) => seed.user(name, { isAdmin: true })),
  );
  const verbs = ['star', 'unstar', 'star', 'star', 'unstar', 'star'];
  const responses = await Promise.all(
    users.flatMap((person) => verbs.map((verb) => as(person).post(`/projects/${id}/${verb}`))),
  );
  expect([...new Set(responses.map(({ status }) => status))].toSorted()).toEqual([201, 304]);
  const [{ starCount }, stars] = await Promise.all([
    db.project.findUniqueOrThrow({ where: { id } }),
    db.projectStar.count({ where: { projectId: id } }),
  ]);
  expect(starCount).toBe(stars);
  for (const person of users) await as(person).post(`/projects/${id}/star`);
  expect((await as(root).get(`/projects/${id}`)).body).toMatchObject({ star_count: 5 });
});
