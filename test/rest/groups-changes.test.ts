import { describe, expect, test } from 'vitest';
import { groupedProjectShape, groupShape, memberShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl', { canCreateGroup: false });

const failed = (text: string) => ({
  status: 400,
  body: { message: `Failed to save group ${text}` },
});

describe('POST /groups', () => {
  test('the creator owns the new group', async () => {
    const { status, body } = await as(ada).post('/groups', {
      name: 'Fine Tools',
      path: 'tools',
      description: 'Hammers',
      visibility: 'internal',
      lfs_enabled: false,
      request_access_enabled: true,
    });
    const { id } = body as { id: number };
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...groupShape(url, { id, fullPath: 'tools', visibility: 'internal' }),
        name: 'Fine Tools',
        full_name: 'Fine Tools',
        description: 'Hammers',
        lfs_enabled: false,
        request_access_enabled: true,
        projects: [],
        shared_projects: [],
      },
    });
    expect(await as(ada).get(`/groups/${id}/members`)).toEqual({
      status: 200,
      body: [memberShape(url, ada, 50)],
    });
  });

  test('an owner creates a subgroup, private by default', async () => {
    const parent = await seed.group('nested', { owner: ada }, { visibility: 'public' });
    const { status, body } = await as(ada).post('/groups', {
      name: 'inner',
      path: 'inner',
      parent_id: parent.id,
    });
    const { id } = body as { id: number };
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...groupShape(url, { id, fullPath: 'nested/inner', parentId: parent.id }),
        projects: [],
        shared_projects: [],
      },
    });
  });

  test('is refused to an anonymous user', async () => {
    expect(await as(null).post('/groups', { name: 'x', path: 'x' })).toEqual(refused.anonymous);
  });

  test('is forbidden for a user who cannot create groups', async () => {
    expect(await as(carl).post('/groups', { name: 'x', path: 'x' })).toEqual(refused.forbidden);
  });

  test('a master cannot create a subgroup', async () => {
    const { id } = await seed.group('mastered', { master: bob });
    expect(await as(bob).post('/groups', { name: 'x', path: 'x', parent_id: id })).toEqual(
      refused.forbidden,
    );
  });

  test('an invisible parent gives 404', async () => {
    const { id } = await seed.group('unseen');
    for (const parent_id of [id, 999_999]) {
      expect(await as(bob).post('/groups', { name: 'x', path: 'x', parent_id })).toEqual(
        refused.missing('Group'),
      );
    }
  });

  test('a personal namespace cannot be the parent', async () => {
    const { id } = await db.namespace.findUniqueOrThrow({ where: { ownerId: ada.id } });
    expect(await as(ada).post('/groups', { name: 'x', path: 'x', parent_id: id })).toEqual(
      refused.missing('Group'),
    );
  });

  test('name and path are required', async () => {
    expect(await as(ada).post('/groups', {})).toEqual(
      refused.parameter('name is missing, path is missing'),
    );
  });

  test.each([
    [{ path: 'ADA' }, '{:path=>["has already been taken"]}'],
    [{ path: 'Root' }, '{:path=>["has already been taken"]}'],
    [{ path: 'api' }, '{:path=>["api is a reserved name"]}'],
    [{ path: '' }, `{:path=>["can't be blank"]}`],
    [
      { path: 'x.git' },
      `{:path=>["can contain only letters, digits, '_', '-' and '.'. ` +
        `Cannot start with '-' or end in '.', '.git' or '.atom'."]}`,
    ],
    [{ name: 'a/b' }, `{:name=>["can contain only letters, digits, '_', '.', dash and space."]}`],
    [{ name: ' ' }, `{:name=>["can't be blank"]}`],
    [{ name: 'x'.repeat(256) }, '{:name=>["is too long (maximum is 255 characters)"]}'],
  ])('rejects %o', async (input, text) => {
    expect(await as(ada).post('/groups', { name: 'fresh', path: 'fresh', ...input })).toEqual(
      failed(text),
    );
  });

  test('a subgroup cannot be more visible than its parent', async () => {
    const { id } = await seed.group('narrow', { owner: ada });
    const wide = { name: 'wide', path: 'wide', parent_id: id, visibility: 'public' };
    expect(await as(ada).post('/groups', wide)).toEqual(
      failed(
        '{:visibility_level=>["public is not allowed since the parent group has a private visibility."]}',
      ),
    );
  });

  test('the name of a top-level group or user is taken', async () => {
    await seed.group('titled', { owner: ada }, { name: 'One Title' });
    const { id } = await seed.group('untitled', { owner: ada });
    const fault = '{:name=>["has already been taken"]}';
    for (const name of ['One Title', 'ada']) {
      expect(await as(ada).post('/groups', { name, path: 'titled-too' })).toEqual(failed(fault));
      expect(await as(ada).put(`/groups/${id}`, { name })).toEqual(
        refused.invalid({ name: ['has already been taken'] }),
      );
    }
    // names are case-sensitive, as within one parent
    expect((await as(ada).post('/groups', { name: 'ONE TITLE', path: 'big' })).status).toBe(201);
  });

  test('a removed top-level group frees its name', async () => {
    const { id } = await seed.group('passing', { owner: ada }, { name: 'Passing' });
    await as(ada).delete(`/groups/${id}`);
    expect((await as(ada).post('/groups', { name: 'Passing', path: 'next' })).status).toBe(201);
  });

  test('names are unique within one parent', async () => {
    const { id } = await seed.group('twins', { owner: ada });
    const input = { name: 'One', path: 'one', parent_id: id };
    expect((await as(ada).post('/groups', input)).status).toBe(201);
    expect(await as(ada).post('/groups', { ...input, path: 'two' })).toEqual(
      failed('{:name=>["has already been taken"]}'),
    );
    const other = await seed.group('twins/other');
    expect(await as(ada).put(`/groups/${other.id}`, { name: 'One' })).toEqual(
      refused.invalid({ name: ['has already been taken'] }),
    );
  });

  test('rejects an unknown visibility', async () => {
    const input = { name: 'x', path: 'x', visibility: 'secret' };
    expect(await as(ada).post('/groups', input)).toEqual(
      refused.parameter('visibility does not have a valid value'),
    );
  });
});

describe('PUT /groups/:id', () => {
  test('an owner updates the given fields only', async () => {
    const { id } = await seed.group('changed', { owner: ada }, { description: 'before' });
    const app = await seed.project('changed/app');
    const { status, body } = await as(ada).put(`/groups/${id}`, { visibility: 'public' });
    const traits = { id: app.id, fullPath: 'changed/app', creatorId: root.id, namespaceId: id };
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...groupShape(url, { id, fullPath: 'changed', visibility: 'public' }),
        description: 'before',
        projects: [{ ...groupedProjectShape(url, traits), import_error: null, public: false }],
        shared_projects: [],
      },
    });
  });

  test('a new path applies to everything below, and the old path stays reserved', async () => {
    const { id } = await seed.group('old', { owner: ada });
    const below = await seed.group('old/inner');
    const app = await seed.project('old/inner/app');
    const { status, body } = await as(ada).put(`/groups/${id}`, { path: 'new', name: 'New' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { name: 'New', path: 'new', full_path: 'new', full_name: 'New' },
    });
    expect((await as(ada).get('/groups/new%2Finner')).body).toMatchObject({
      id: below.id,
      full_path: 'new/inner',
      full_name: 'New / inner',
    });
    expect((await as(ada).get('/projects/new%2Finner%2Fapp')).body).toMatchObject({
      id: app.id,
      name_with_namespace: 'New / inner / app',
      path_with_namespace: 'new/inner/app',
    });
    expect(await as(ada).post('/groups', { name: 'old', path: 'old' })).toEqual(
      failed('{:path=>["has already been taken"]}'),
    );
  });

  test('is forbidden for a master', async () => {
    const { id } = await seed.group('kept', { master: bob });
    expect(await as(bob).put(`/groups/${id}`, { name: 'Mine' })).toEqual(refused.forbidden);
  });

  test('is refused to anonymous and other users', async () => {
    const { id } = await seed.group('guarded');
    expect(await as(null).put(`/groups/${id}`, { name: 'Mine' })).toEqual(refused.anonymous);
    expect(await as(bob).put(`/groups/${id}`, { name: 'Mine' })).toEqual(refused.missing('Group'));
  });

  test.each([
    [{ path: 'root' }, { path: ['has already been taken'] }],
    [{ path: 'users' }, { path: ['users is a reserved name'] }],
    [{ name: '' }, { name: ["can't be blank"] }],
  ])('rejects %o', async (input, faults) => {
    const { id } = await seed.group(`wrong-${Object.keys(input)}-${Object.values(input)}`, {
      owner: ada,
    });
    expect(await as(ada).put(`/groups/${id}`, input)).toEqual(refused.invalid(faults));
  });

  test('a group cannot be less visible than its content', async () => {
    const { id } = await seed.group('holder', { owner: ada }, { visibility: 'public' });
    await seed.group('holder/inner', {}, { visibility: 'internal' });
    const contentWith = (resource: string) => ({
      visibility_level: [
        `private is not allowed since this group contains ${resource} with higher visibility.`,
      ],
    });
    expect(await as(ada).put(`/groups/${id}`, { visibility: 'private' })).toEqual(
      refused.invalid(contentWith('sub-groups')),
    );
    await seed.project('holder/app', {}, { visibility: 'public' });
    expect(await as(ada).put(`/groups/${id}`, { visibility: 'private' })).toEqual(
      refused.invalid(contentWith('projects')),
    );
    expect((await as(ada).get(`/groups/${id}`)).body).toMatchObject({ visibility: 'public' });
  });
});

describe('DELETE /groups/:id', () => {
  test('an owner removes the group with all its content', async () => {
    const { id } = await seed.group('doomed', { owner: ada });
    const inner = await seed.group('doomed/inner');
    const app = await seed.project('doomed/inner/app');
    expect(await as(ada).delete(`/groups/${id}`)).toEqual({ status: 204, body: null });
    expect(await as(ada).get(`/groups/${id}`)).toEqual(refused.missing('Group'));
    expect(await as(root).get(`/groups/${inner.id}`)).toEqual(refused.missing('Group'));
    expect(await as(root).get(`/projects/${app.id}`)).toEqual(refused.missing('Project'));
  });

  test('frees the path', async () => {
    const { id } = await seed.group('again', { owner: ada });
    await as(ada).delete(`/groups/${id}`);
    expect((await as(bob).post('/groups', { name: 'again', path: 'again' })).status).toBe(201);
  });

  test('is forbidden for a master', async () => {
    const { id } = await seed.group('staying', { master: bob });
    expect(await as(bob).delete(`/groups/${id}`)).toEqual(refused.forbidden);
  });

  test('is refused to anonymous and other users', async () => {
    const { id } = await seed.group('secret');
    expect(await as(null).delete(`/groups/${id}`)).toEqual(refused.anonymous);
    expect(await as(bob).delete(`/groups/${id}`)).toEqual(refused.missing('Group'));
  });
});
