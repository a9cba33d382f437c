import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/client.ts';
import { world } from '../support/world.ts';

const { as, seed, db, dataFolder, root } = await world();
const ada = await seed.user('ada');
const owner = as(ada);

const statuses = (responses: readonly ApiResponse[]) =>
  [...new Set(responses.map(({ status }) => status))].toSorted();

const repositories = async () =>
  (await readdir(join(dataFolder, 'repositories'), { recursive: true })).filter((entry) =>
    /[0-9a-f]{32}\.git$/.test(entry),
  );

describe('content created while its group is renamed', () => {
  test('gets the new path and the new full name', async () => {
    const { id } = await seed.group('race', { owner: ada });
    const created = Array.from({ length: 12 }, (_, n) =>
      owner.post('/projects', { path: `p${n}`, namespace_id: id }),
    );
    const groups = Array.from({ length: 6 }, (_, n) =>
      owner.post('/groups', { name: `g${n}`, path: `g${n}`, parent_id: id }),
    );
    const renamed = owner.put(`/groups/${id}`, { path: 'moved', name: 'Moved' });
    expect(statuses(await Promise.all([...created, ...groups]))).toEqual([201]);
    expect((await renamed).status).toBe(200);
    const below = { ancestorIds: { has: id }, id: { not: id } };
    const [projects, subgroups, stale] = await Promise.all([
      db.project.findMany({ where: { namespaceId: id } }),
      db.namespace.findMany({ where: below }),
      db.route.count({ where: { key: { startsWith: 'race/' } } }),
    ]);
    expect(projects.map(({ fullPath, path }) => fullPath === `moved/${path}`)).toEqual(
      Array(12).fill(true),
    );
    expect(subgroups.map(({ fullName, name }) => fullName === `Moved / ${name}`)).toEqual(
      Array(6).fill(true),
    );
    expect(stale).toBe(0);
  });
});

describe('content created while its group is deleted', () => {
  test('is rejected or deleted with the group, and leaves no repository', async () => {
    const before = (await repositories()).length;
    const { id } = await seed.group('doomed', { owner: ada });
    const created = Array.from({ length: 12 }, (_, n) =>
      owner.post('/projects', { path: `p${n}`, namespace_id: id }),
    );
    const removed = owner.delete(`/groups/${id}`);
    for (const { status } of await Promise.all(created)) expect([201, 400, 404]).toContain(status);
    expect((await removed).status).toBe(204);
    const rows = () => db.project.count({ where: { namespaceId: id } });
    await expect.poll(rows).toBe(0);
    expect((await repositories()).length).toBe(before);
  });
});

describe('the project limit', () => {
  test('is not exceeded by concurrent requests', async () => {
    const bob = await seed.user('bob', { projectsLimit: 2 });
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => as(bob).post('/projects', { path: `p${n}` })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(responses.find(({ status }) => status !== 201)).toEqual({
      status: 403,
      body: {
        error: [
          'Your project limit is 2 projects! Please contact your administrator to increase it',
        ],
      },
    });
  });
});

test('renaming a group with characters beyond 16 bits updates the full names of its subgroups', async () => {
  const { id } = await seed.group('emoji', { owner: ada }, { name: '☃🎉a' });
  await seed.group('emoji/child');
  expect((await owner.put(`/groups/${id}`, { name: 'plain' })).status).toBe(200);
  const child = await as(root).get('/groups/emoji%2Fchild');
  expect(child.body).toMatchObject({ full_name: 'plain / child' });
});

test('a path that is too long with its ancestors is rejected', async () => {
  let parent = (await seed.group('deep', { owner: ada })).id;
  let response: ApiResponse = { status: 0, body: null };
  for (let depth = 0; depth < 6; depth += 1) {
    const path = `${depth}`.padEnd(200, 'x');
    response = await owner.post('/groups', { name: path, path, parent_id: parent });
    if (response.status !== 201) break;
    parent = (response.body as { id: number }).id;
  }
  expect(response.status).toBe(400);
  expect(JSON.stringify(response.body)).toContain('is too long with everything above it');
});
