import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { git, temporaryFolder, tryGit, workTree } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { basicUserShape, projectShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');
const eve = await seed.user('eve');

const acme = await seed.group('acme', { owner: ada, developer: bob });
const friends = await seed.group('friends', { owner: ada, developer: carl, reporter: dora });
const circle = await seed.group('friends/circle', { master: eve });
const secret = await seed.group('secret', { developer: eve });

let count = 0;
/** A separate private project for a test that shares it. */
async function createProject() {
  count += 1;
  const { id } = await seed.project(`acme/shared-${count}`);
  const fullPath = `acme/shared-${count}`;
  return { id, fullPath, share: `/projects/${id}/share` };
}

const traitsOf = ({ id, fullPath }: { id: number; fullPath: string }) => ({
  id,
  fullPath,
  creatorId: root.id,
  namespaceId: acme.id,
});

const statusOf = async (person: TestUser, path: string) => (await as(person).get(path)).status;

/** The effective level of a user, measured by the allowed actions. */
async function levelOf(person: TestUser, id: number): Promise<string> {
  if ((await statusOf(person, `/projects/${id}`)) === 404) return 'none';
  const change = await as(person).put(`/projects/${id}`, { tag_list: ['x'] });
  if (change.status === 200) {
    const { status } = await as(person).post(`/projects/${id}/unarchive`);
    return status === 201 ? 'owner' : 'master';
  }
  const { fullPath } = await db.project.findUniqueOrThrow({ where: { id } });
  const services = await Promise.all(
    ['receive', 'upload'].map(async (service) => {
      const address = `${url}/${fullPath}.git/info/refs?service=git-${service}-pack`;
      const credentials = Buffer.from(`${person.username}:${person.token}`).toString('base64');
      const { status } = await fetch(address, {
        headers: { Authorization: `Basic ${credentials}` },
      });
      return status === 200;
    }),
  );
  return services[0] ? 'developer' : services[1] ? 'reporter' : 'guest';
}

describe('POST /projects/:id/share', () => {
  test('a master shares a project; members of the group have access immediately', async () => {
    const project = await createProject();
    const path = `/projects/${project.id}`;
    expect(await as(dora).get(path)).toEqual(refused.missing('Project'));
    const input = { group_id: friends.id, group_access: 30 };
    const { status, body } = await as(ada).post(project.share, input);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        project_id: project.id,
        group_id: friends.id,
        group_access: 30,
        expires_at: null,
      },
    });
    const link = { group_id: friends.id, group_name: 'friends', group_access_level: 30 };
    const shape = projectShape(url, traitsOf(project), [null, null]);
    expect(await as(dora).get(path)).toEqual({
      status: 200,
      body: { ...shape, shared_with_groups: [link] },
    });
    expect((await as(dora).get('/projects?membership=true')).body).toEqual([
      { ...shape, shared_with_groups: [link] },
    ]);
  });

  test('a form is equivalent to JSON, with a date and a path', async () => {
    const { id, fullPath } = await createProject();
    const form = new URLSearchParams({
      group_id: String(friends.id),
      group_access: '10',
      expires_at: '2999-12-31',
    });
    const path = `/projects/${encodeURIComponent(fullPath.toUpperCase())}/share`;
    const response = await as(ada).fetch(path, { method: 'POST', body: form });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        project_id: id,
        group_id: friends.id,
        group_access: 10,
        expires_at: '2999-12-31',
      },
    });
  });

  test('the owner of a personal project shares it', async () => {
    const { id } = await seed.project('bob/own');
    const input = { group_id: acme.id, group_access: 20 };
    expect((await as(bob).post(`/projects/${id}/share`, input)).status).toBe(201);
    expect(await levelOf(ada, id)).toBe('reporter');
  });

  test.each([
    [10, 'guest', 'guest', 'guest', 'none'],
    [20, 'reporter', 'reporter', 'reporter', 'none'],
    [30, 'developer', 'reporter', 'developer', 'none'],
    [40, 'developer', 'reporter', 'master', 'none'],
  ])(
    'a share at %i makes a developer %s, a reporter %s, an owner %s, a subgroup member %s',
    async (group_access, developer, reporter, owner, below) => {
      const person = await seed.user(`owner-${group_access}`);
      await as(ada).post(`/groups/${friends.id}/members`, { user_id: person.id, access_level: 50 });
      const { id, share } = await createProject();
      await as(ada).post(share, { group_id: friends.id, group_access });
      expect({
        developer: await levelOf(carl, id),
        reporter: await levelOf(dora, id),
        owner: await levelOf(person, id),
        below: await levelOf(eve, id),
      }).toEqual({ developer, reporter, owner, below });
    },
  );

  test('a share with a subgroup includes members of its parent group', async () => {
    const { id, share } = await createProject();
    await as(ada).post(share, { group_id: circle.id, group_access: 40 });
    expect(await levelOf(eve, id)).toBe('master');
    expect(await levelOf(carl, id)).toBe('developer');
    expect(await levelOf(dora, id)).toBe('reporter');
  });

  test('the highest of several levels applies', async () => {
    const { id, share } = await createProject();
    await as(ada).post(share, { group_id: friends.id, group_access: 10 });
    await as(ada).post(share, { group_id: circle.id, group_access: 30 });
    expect(await levelOf(carl, id)).toBe('developer');
    expect(await levelOf(eve, id)).toBe('developer');
    expect(await levelOf(bob, id)).toBe('developer');
  });

  test('is refused to anonymous users, other users and members below master', async () => {
    const { share } = await createProject();
    const input = { group_id: friends.id, group_access: 10 };
    expect(await as(null).post(share, input)).toEqual(refused.anonymous);
    expect(await as(carl).post(share, input)).toEqual(refused.missing('Project'));
    expect(await as(bob).post(share, input)).toEqual(refused.forbidden);
  });

  test('a group that the caller cannot see is not found', async () => {
    const { id, share } = await createProject();
    for (const group_id of [secret.id, 0, -1, 999_999, 2 ** 40]) {
      expect(await as(ada).post(share, { group_id, group_access: 10 })).toEqual(
        refused.missing('Group'),
      );
    }
    const space = await db.namespace.findUniqueOrThrow({ where: { ownerId: bob.id } });
    expect(await as(root).post(share, { group_id: space.id, group_access: 10 })).toEqual(
      refused.missing('Group'),
    );
    expect(await db.projectGroupLink.count({ where: { projectId: id } })).toBe(0);
  });

  test('an expired share is replaced by a new one', async () => {
    const { share } = await createProject();
    const input = { group_id: friends.id, group_access: 10 };
    await as(ada).post(share, { ...input, expires_at: '2017-01-01' });
    expect(await as(ada).post(share, { ...input, group_access: 20 })).toMatchObject({
      status: 201,
      body: { group_access: 20, expires_at: null },
    });
  });

  test('a second share and a share with the project’s own group give 409', async () => {
    const { share } = await createProject();
    const input = { group_id: friends.id, group_access: 10 };
    const statuses = await Promise.all(
      Array.from({ length: 4 }, async () => (await as(ada).post(share, input)).status),
    );
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409]);
    expect(await as(ada).post(share, { ...input, group_access: 20 })).toEqual(
      refused.conflict('Group already shared with this group'),
    );
    expect(await as(ada).post(share, { ...input, group_id: acme.id })).toEqual(
      refused.conflict('Project cannot be shared with the group it is in or one of its ancestors.'),
    );
  });

  test.each([
    [{}, 'group_id is missing, group_access is missing'],
    [{ group_id: 'friends', group_access: 10 }, 'group_id is invalid'],
    [{ group_id: 1, group_access: 50 }, 'group_access does not have a valid value'],
    [{ group_id: 1, group_access: 0 }, 'group_access does not have a valid value'],
    [{ group_id: 1, group_access: 'master' }, 'group_access does not have a valid value'],
    [{ group_id: 1, group_access: 10, expires_at: '2017-02-30' }, 'expires_at is invalid'],
  ])('rejects %o: %s', async (input, text) => {
    const { share } = await createProject();
    expect(await as(ada).post(share, input)).toEqual(refused.parameter(text));
  });
});

describe('DELETE /projects/:id/share/:group_id', () => {
  /** A project that is shared with `friends` at master level. */
  async function createShared() {
    const project = await createProject();
    await as(ada).post(project.share, { group_id: friends.id, group_access: 40 });
    return { ...project, path: `${project.share}/${friends.id}` };
  }

  test('a master removes a share; its members lose access immediately', async () => {
    const { id, path } = await createShared();
    expect(await statusOf(carl, `/projects/${id}`)).toBe(200);
    expect(await as(ada).delete(path)).toEqual({ status: 204, body: null });
    expect(await levelOf(carl, id)).toBe('none');
    expect((await as(carl).get('/projects?membership=true&per_page=100')).body).not.toContainEqual(
      expect.objectContaining({ id }),
    );
    expect(await as(ada).delete(path)).toEqual(refused.missing('Group Link'));
  });

  test('leaving the group ends access to the project', async () => {
    const { id } = await createShared();
    const person = await seed.user('passer');
    const member = { user_id: person.id, access_level: 20 };
    await as(ada).post(`/groups/${friends.id}/members`, member);
    expect(await levelOf(person, id)).toBe('reporter');
    await as(ada).delete(`/groups/${friends.id}/members/${person.id}`);
    expect(await levelOf(person, id)).toBe('none');
  });

  test('is refused to anonymous users, other users and members below master', async () => {
    const { path } = await createShared();
    expect(await as(null).delete(path)).toEqual(refused.anonymous);
    expect(await as(eve).delete(path)).toEqual(refused.missing('Project'));
    expect(await as(bob).delete(path)).toEqual(refused.forbidden);
    expect(await as(dora).delete(path)).toEqual(refused.forbidden);
  });

  test('an unknown share gives 404', async () => {
    const { share } = await createProject();
    for (const group of [friends.id, acme.id, 0, '99999999999999']) {
      expect(await as(ada).delete(`${share}/${group}`)).toEqual(refused.missing('Group Link'));
    }
    expect(await as(ada).delete(`${share}/friends`)).toEqual(
      refused.parameter('group_id is invalid'),
    );
  });
});

describe('visibility of shares', () => {
  test('a private group is shown to masters and to users who can see the group', async () => {
    const { id, share } = await createProject();
    await as(root).post(share, { group_id: secret.id, group_access: 20 });
    await as(root).post(share, { group_id: friends.id, group_access: 20 });
    const groupNames = async (person: TestUser) => {
      const { body } = await as(person).get(`/projects/${id}`);
      const { shared_with_groups } = body as { shared_with_groups: { group_name: string }[] };
      return shared_with_groups.map(({ group_name }) => group_name);
    };
    expect(await groupNames(ada)).toEqual(['secret', 'friends']);
    expect(await groupNames(root)).toEqual(['secret', 'friends']);
    expect(await groupNames(bob)).toEqual([]);
    expect(await groupNames(carl)).toEqual(['friends']);
    // eve is in `friends/circle`, a subgroup of `friends`
    expect(await groupNames(eve)).toEqual(['secret', 'friends']);
  });

  test('the group of a shared project is visible', async () => {
    const hidden = await seed.group('hidden');
    const { id } = await seed.project('hidden/app');
    const groups = async () =>
      ((await as(carl).get('/groups?per_page=100')).body as { id: number }[]).map((g) => g.id);
    expect(await groups()).not.toContain(hidden.id);
    const input = { group_id: friends.id, group_access: 10 };
    expect((await as(root).post(`/projects/${id}/share`, input)).status).toBe(201);
    expect(await groups()).toContain(hidden.id);
    expect(await statusOf(carl, `/groups/${hidden.id}`)).toBe(200);
    await as(root).delete(`/projects/${id}/share/${friends.id}`);
    expect(await statusOf(carl, `/groups/${hidden.id}`)).toBe(404);
  });

  test('users of a shared project include members of the group', async () => {
    const { id, share } = await createProject();
    await as(ada).post(share, { group_id: circle.id, group_access: 10 });
    const { body } = await as(eve).get(`/projects/${id}/users?search=eve`);
    expect(body).toEqual([basicUserShape(url, eve)]);
  });
});

describe('the end of a share', () => {
  const yesterday = new Date(Date.now() - 86_400_000);

  test('a share expires', async () => {
    const { id, share } = await createProject();
    await as(ada).post(share, { group_id: friends.id, group_access: 40, expires_at: '2999-01-01' });
    expect(await levelOf(carl, id)).toBe('developer');
    await db.projectGroupLink.updateMany({
      where: { projectId: id },
      data: { expiresAt: yesterday },
    });
    await expect.poll(() => levelOf(carl, id)).toBe('none');
    expect((await as(ada).get(`/projects/${id}`)).body).toMatchObject({ shared_with_groups: [] });
    expect((await as(ada).get(`/projects/${id}/users?search=carl`)).body).toEqual([]);
  });

  test('a membership in the group expires', async () => {
    const person = await seed.user('guestly');
    const { id, share } = await createProject();
    await as(ada).post(share, { group_id: friends.id, group_access: 40 });
    const member = { user_id: person.id, access_level: 20, expires_at: '2999-01-01' };
    await as(ada).post(`/groups/${friends.id}/members`, member);
    expect(await levelOf(person, id)).toBe('reporter');
    await db.member.updateMany({ where: { userId: person.id }, data: { expiresAt: yesterday } });
    await expect.poll(() => levelOf(person, id)).toBe('none');
  });

  test('the group is removed', async () => {
    const { id, share } = await createProject();
    const { id: club } = await seed.group('friends/club', { developer: eve });
    await as(ada).post(share, { group_id: club, group_access: 40 });
    await as(ada).post(`/projects/${id}/members`, { user_id: carl.id, access_level: 10 });
    expect(await levelOf(eve, id)).toBe('developer');
    expect(await levelOf(carl, id)).toBe('developer');
    // the state before the removal job runs
    await db.namespace.update({ where: { id: club }, data: { isRemoved: true } });
    expect(await levelOf(eve, id)).toBe('none');
    expect(await levelOf(carl, id)).toBe('guest');
  });
});

test('a reporter by a share clones, a developer by a share pushes', async () => {
  const { id, fullPath, share } = await createProject();
  await seed.push(fullPath, { 'README.md': '# Shared' });
  await as(ada).post(share, { group_id: friends.id, group_access: 30 });
  const folder = await temporaryFolder();
  expect(await tryGit(folder, 'clone', remote(fullPath, dora), 'clone')).toMatchObject({ code: 0 });
  expect(await tryGit(`${folder}/clone`, 'push', 'origin', 'HEAD:topic')).toMatchObject({
    code: 128,
    stderr: expect.stringContaining('403'),
  });
  const work = await workTree({ 'a.txt': 'a' });
  await git(work, 'push', '--quiet', remote(fullPath, carl), 'HEAD:topic');
  await as(ada).delete(`/projects/${id}/share/${friends.id}`);
  expect(await tryGit(work, 'push', remote(fullPath, carl), 'HEAD:again')).toMatchObject({
    code: 128,
    stderr: expect.stringContaining('not found'),
  });
  await Promise.all([folder, work].map((path) => rm(path, { recursive: true })));
});
