import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import {
  basicUserShape,
  currentUserShape,
  groupShape,
  instant,
  memberShape,
  projectShape,
} from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const { seed, url, root } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { client, called } = recordedClient(url, ada.token);
const { client: administrator } = recordedClient(url, root.token);

/** A PNG image of one pixel. */
const pixel = new Blob(
  [
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ],
  { type: 'image/png' },
);

describe('Users', () => {
  test('the current user, another user and a list', async () => {
    expect(await client.Users.showCurrentUser()).toEqual(currentUserShape(url, ada));
    expect(await client.Users.show(bob.id)).toMatchObject(basicUserShape(url, bob));
    expect(await client.Users.all({ username: 'bob' })).toEqual([basicUserShape(url, bob)]);
  });

  test('an administrator creates, changes, blocks, unblocks and removes a user', async () => {
    const cleo = { email: 'cleo@example.com', name: 'Cleo', username: 'cleo' };
    const { id } = await administrator.Users.create({ ...cleo, password: 'cleopatra' });
    expect(await administrator.Users.edit(id, { name: 'Cleopatra' })).toMatchObject({
      ...cleo,
      id,
      name: 'Cleopatra',
    });
    expect(await administrator.Users.block(id)).toBe(true);
    expect(await administrator.Users.show(id)).toMatchObject({ state: 'blocked' });
    expect(await administrator.Users.unblock(id)).toBe(true);
    expect(await administrator.Users.allEvents(id)).toEqual([]);
    await administrator.Users.remove(id);
    await expect(administrator.Users.show(id)).rejects.toThrow('404 User Not Found');
  });

  test('the projects of a user and the last activities of all users', async () => {
    const { id } = await seed.project('bob/open', {}, { visibility: 'public' });
    expect(await client.Users.allProjects(bob.id)).toEqual([
      expect.objectContaining({ id, path_with_namespace: 'bob/open' }),
    ]);
    await client.Groups.all();
    const session = await fetch(`${url}/api/v4/session`, {
      method: 'POST',
      body: new URLSearchParams({ login: 'bob', password: bob.password }),
    });
    expect(session.status).toBe(201);
    const day: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    expect(await administrator.Users.allActivities()).toEqual([
      { username: 'bob', last_activity_on: day, last_activity_at: day },
    ]);
  });
});

describe('Namespaces', () => {
  test('lists, searches and shows the namespaces of the current user', async () => {
    const personal = { id: expect.any(Number), name: 'ada', path: 'ada', kind: 'user' };
    const own = { ...personal, full_path: 'ada', parent_id: null };
    expect(await client.Namespaces.all()).toEqual([own]);
    expect(await client.Namespaces.all({ search: 'ADA' })).toEqual([own]);
    expect(await client.Namespaces.show('ada')).toEqual(own);
  });
});

describe('Groups', () => {
  test('are created, listed, searched, shown, changed and removed, and have avatars', async () => {
    const created = await client.Groups.create('acme', 'acme', { visibility: 'public' });
    const listed = groupShape(url, { id: created.id, fullPath: 'acme', visibility: 'public' });
    expect(created).toEqual({ ...listed, projects: [], shared_projects: [] });
    expect(await client.Groups.all({ owned: true })).toEqual([listed]);
    expect(await client.Groups.search('cm')).toEqual([listed]);
    expect(await client.Groups.show('acme')).toEqual({
      ...listed,
      projects: [],
      shared_projects: [],
    });
    expect(await client.Groups.edit(created.id, { description: 'Hammers' })).toMatchObject({
      description: 'Hammers',
    });
    expect(
      await client.Groups.uploadAvatar(created.id, pixel, { filename: 'pixel.png' }),
    ).toMatchObject({ avatar_url: expect.stringMatching(/\/pixel\.png$/) });
    expect(await client.Groups.removeAvatar(created.id)).toMatchObject({ avatar_url: null });
    const inner = await client.Groups.create('inner', 'inner', {
      parentId: created.id,
      visibility: 'public',
    });
    expect(await client.Groups.allSubgroups(created.id)).toEqual([
      groupShape(url, {
        id: inner.id,
        fullPath: 'acme/inner',
        visibility: 'public',
        parentId: created.id,
      }),
    ]);
    const project = await client.Projects.create({ name: 'app', namespaceId: created.id });
    expect(await client.Groups.allProjects(created.id)).toEqual([
      expect.objectContaining({ id: project.id, path_with_namespace: 'acme/app' }),
    ]);
    await client.Groups.remove(created.id);
    await expect(client.Groups.show(created.id)).rejects.toThrow('404 Group Not Found');
  });

  test('all pages are fetched', async () => {
    for (const path of ['one', 'two', 'three', 'four', 'five']) {
      await seed.group(path, { owner: ada });
    }
    const all = await client.Groups.all({ owned: true, perPage: 2 });
    expect(all.map(({ path }) => path)).toEqual(['five', 'four', 'one', 'three', 'two']);
    const page = await client.Groups.all({
      owned: true,
      perPage: 2,
      page: 2,
      showExpanded: true,
      pagination: 'offset',
    });
    expect(page.paginationInfo).toEqual({
      total: 5,
      next: 3,
      current: 2,
      previous: 1,
      perPage: 2,
      totalPages: 3,
    });
  });
});

describe('Projects', () => {
  test('are created, listed, searched, shown, changed and removed', async () => {
    const created = await client.Projects.create({ name: 'app', visibility: 'internal' });
    const listed = (await client.Projects.all({ owned: true }))[0];
    const traits = {
      id: created.id,
      fullPath: 'ada/app',
      visibility: 'internal',
      creatorId: ada.id,
      namespaceId: created.namespace.id,
      owner: ada,
    };
    expect(listed).toEqual({ ...projectShape(url, traits, [40, null]), import_error: null });
    expect(await client.Projects.search('app')).toEqual([listed]);
    expect(await client.Projects.show('ada/app', { statistics: true })).toMatchObject({
      id: created.id,
      statistics: { commit_count: 0 },
    });
    expect(await client.Projects.showLanguages(created.id)).toEqual({});
    expect(await client.Projects.edit(created.id, { description: 'new' })).toMatchObject({
      description: 'new',
    });
    await client.Projects.remove(created.id);
    await expect(client.Projects.show(created.id)).rejects.toThrow('404 Project Not Found');
  });

  test('are archived, starred and shared, and have avatars and uploads', async () => {
    const { id } = await client.Projects.create({ name: 'tool' });
    expect(await client.Projects.archive(id)).toMatchObject({ archived: true });
    expect(await client.Projects.unarchive(id)).toMatchObject({ archived: false });
    expect(await client.Projects.star(id)).toMatchObject({ star_count: 1 });
    expect(await client.Projects.unstar(id)).toMatchObject({ star_count: 0 });
    const group = await seed.group('guild', { developer: bob });
    expect(await administrator.Projects.share(id, group.id, 30)).toEqual({
      id: expect.any(Number),
      project_id: id,
      group_id: group.id,
      group_access: 30,
      expires_at: null,
    });
    expect((await client.Projects.allUsers(id)).map(({ username }) => username)).toContain('bob');
    await client.Projects.unshare(id, group.id);
    expect(await client.Projects.allUsers(id)).toEqual([basicUserShape(url, ada)]);
    const picture = { content: pixel, filename: 'pixel.png' };
    expect(await client.Projects.uploadAvatar(id, picture)).toMatchObject({
      avatar_url: expect.stringMatching(/\/pixel\.png$/),
    });
    expect(await client.Projects.removeAvatar(id)).toMatchObject({ avatar_url: null });
    expect(await client.Projects.uploadForReference(id, picture)).toMatchObject({
      alt: 'pixel',
      url: expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\/pixel\.png$/),
    });
  });

  test('are transferred to a group, as groups are, and housekeeping runs', async () => {
    const { id } = await client.Projects.create({ name: 'wanderer' });
    const group = await seed.group('harbour', { owner: ada });
    const moved = await administrator.Groups.transferProject(group.id, id);
    expect(moved).toEqual(await client.Groups.show(group.id));
    expect(moved).toMatchObject({ projects: [{ id, path_with_namespace: 'harbour/wanderer' }] });
    expect(await client.Projects.transfer(id, 'ada')).toMatchObject({
      path_with_namespace: 'ada/wanderer',
    });
    expect(await client.Projects.housekeeping(id)).toEqual({});
    const port = await seed.group('port', { owner: ada });
    expect(await client.Groups.transfer(group.id, { groupId: port.id })).toMatchObject({
      full_path: 'port/harbour',
    });
    expect(await client.Groups.transfer(group.id)).toMatchObject({ full_path: 'harbour' });
  });

  test('an error reaches the caller with its text', async () => {
    await expect(client.Projects.create({ name: 'x', path: 'tree' })).rejects.toThrow(
      'tree is a reserved name',
    );
    await expect(recordedClient(url, 'not-a-token').client.Projects.all()).rejects.toThrow(
      '401 Unauthorized',
    );
  });
});

describe('forks', () => {
  test('are created, listed, and their relation is removed and restored', async () => {
    const { id } = await seed.project('bob/popular', {}, { visibility: 'public' });
    const fork = await client.Projects.fork(id, { path: 'mine', name: 'mine' });
    const from = { id, path_with_namespace: 'bob/popular', forks_count: 1 };
    expect(fork).toEqual({
      ...projectShape(
        url,
        {
          id: fork.id,
          fullPath: 'ada/mine',
          visibility: 'public',
          creatorId: ada.id,
          namespaceId: fork.namespace.id,
          owner: ada,
        },
        [40, null],
      ),
      import_error: null,
      runners_token: expect.any(String),
      import_status: 'scheduled',
      forked_from_project: expect.objectContaining(from),
    });
    expect(await client.Projects.allForks(id)).toEqual([expect.objectContaining({ id: fork.id })]);
    await client.Projects.removeForkRelationship(fork.id);
    expect(await client.Projects.allForks(id)).toEqual([]);
    expect(await administrator.Projects.createForkRelationship(fork.id, id)).toEqual(
      expect.objectContaining({ id: fork.id, forked_from_project: expect.objectContaining(from) }),
    );
  });
});

describe('members', () => {
  test('of a project are added, listed, shown, changed and removed', async () => {
    const { id } = await seed.project('ada/team');
    const { ProjectMembers } = client;
    expect(await ProjectMembers.add(id, 30, { userId: bob.id })).toEqual(memberShape(url, bob, 30));
    expect(await ProjectMembers.all(id)).toEqual([
      memberShape(url, ada, 40),
      memberShape(url, bob, 30),
    ]);
    expect(await ProjectMembers.show(id, bob.id)).toEqual(memberShape(url, bob, 30));
    expect(await ProjectMembers.edit(id, bob.id, 40, { expiresAt: '2999-01-01' })).toEqual({
      ...memberShape(url, bob, 40),
      expires_at: '2999-01-01',
    });
    await ProjectMembers.remove(id, bob.id);
    await expect(ProjectMembers.show(id, bob.id)).rejects.toThrow('404 Not found');
  });

  test('of a group are added, listed, shown, changed and removed', async () => {
    const { id } = await client.Groups.create('crew', 'crew');
    const { GroupMembers } = client;
    expect(await GroupMembers.add(id, 20, { userId: bob.id })).toEqual(memberShape(url, bob, 20));
    expect(await GroupMembers.all(id)).toEqual([
      memberShape(url, ada, 50),
      memberShape(url, bob, 20),
    ]);
    expect(await GroupMembers.show(id, bob.id)).toEqual(memberShape(url, bob, 20));
    expect(await GroupMembers.edit(id, bob.id, 50)).toEqual(memberShape(url, bob, 50));
    await GroupMembers.remove(id, bob.id);
    await expect(GroupMembers.show(id, bob.id)).rejects.toThrow('404 Not found');
  });
});

test.each(['Users', 'Namespaces', 'Groups', 'Projects', 'GroupMembers', 'ProjectMembers'])(
  'every method of %s was called, or has no endpoint in Millrace',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
    const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
    expect(listed).toEqual([]);
  },
);

test('times have milliseconds', async () => {
  expect((await client.Projects.show('ada/team')).created_at).toEqual(instant);
});
