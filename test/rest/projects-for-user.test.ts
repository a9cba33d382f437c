import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/client.ts';
import { git, workTree } from '../support/git.ts';
import { masterFields, projectShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db, remote } = await world({
  settings: { restrictedVisibilityLevels: ['public'] },
});
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve', { isExternal: true });
const limitOne = await seed.user('scarce', { projectsLimit: 1 });
const administrator = await seed.user('chief', { isAdmin: true });
const acme = await seed.group('acme', { master: ada, developer: bob });
const { id: adaSpace } = await db.namespace.findUniqueOrThrow({ where: { ownerId: ada.id } });

const idOf = ({ body }: ApiResponse) => (body as { id: number }).id;
const invalidNamespace = refused.invalid({ namespace: ['is not valid'] });

describe('POST /projects/user/:user_id', () => {
  const path = `/projects/user/${ada.id}`;

  test('an administrator creates a project that the user owns', async () => {
    const response = await as(administrator).post(path, { name: 'For Ada' });
    const id = idOf(response);
    const traits = {
      id,
      fullPath: 'ada/for-ada',
      creatorId: ada.id,
      namespaceId: adaSpace,
      owner: ada,
    };
    const name = { name: 'For Ada', name_with_namespace: 'ada / For Ada', ...masterFields };
    expect(response).toEqual({
      status: 201,
      body: { ...projectShape(url, traits, [null, null]), ...name },
    });
    expect(await as(ada).get(`/projects/${id}`)).toEqual({
      status: 200,
      body: { ...projectShape(url, traits, [40, null]), ...name },
    });
    expect(await as(bob).get(`/projects/${id}`)).toEqual(refused.missing('Project'));
  });

  test('creates the project in a group in which the user can create projects', async () => {
    const response = await as(administrator).post(path, { name: 'grouped', namespace_id: acme.id });
    const traits = {
      id: idOf(response),
      fullPath: 'acme/grouped',
      creatorId: ada.id,
      namespaceId: acme.id,
    };
    expect(response).toEqual({
      status: 201,
      body: { ...projectShape(url, traits, [null, null]), ...masterFields },
    });
  });

  test('checks the permissions of the user, not of the administrator', async () => {
    const inGroup = { name: 'x', namespace_id: acme.id };
    expect(await as(administrator).post(`/projects/user/${bob.id}`, inGroup)).toEqual(
      invalidNamespace,
    );
    await db.member.updateMany({
      where: { namespaceId: acme.id, userId: bob.id },
      data: { accessLevel: 40, expiresAt: new Date('2017-01-01') },
    });
    expect(await as(administrator).post(`/projects/user/${bob.id}`, inGroup)).toEqual(
      invalidNamespace,
    );
    const inPersonalNamespace = { name: 'x', namespace_id: adaSpace };
    expect(await as(administrator).post(`/projects/user/${bob.id}`, inPersonalNamespace)).toEqual(
      invalidNamespace,
    );
    expect(await as(administrator).post(path, { name: 'x', namespace_id: 999_999 })).toEqual(
      invalidNamespace,
    );
  });

  test('a user who is an administrator can create projects anywhere', async () => {
    const response = await as(administrator).post(`/projects/user/${root.id}`, {
      name: 'anywhere',
      namespace_id: adaSpace,
    });
    expect(response).toMatchObject({
      status: 201,
      body: { path_with_namespace: 'ada/anywhere', creator_id: root.id },
    });
  });

  test('the limit of the user applies', async () => {
    const own = `/projects/user/${limitOne.id}`;
    expect((await as(administrator).post(own, { name: 'one' })).status).toBe(201);
    expect(await as(administrator).post(own, { name: 'two' })).toEqual({
      status: 403,
      body: {
        error: [
          'Your project limit is 1 projects! Please contact your administrator to increase it',
        ],
      },
    });
  });

  test('the administrator can use restricted visibilities', async () => {
    const input = { name: 'wide', visibility: 'public' };
    expect(await as(ada).post('/projects', input)).toEqual(
      refused.invalid({
        visibility_level: ['public has been restricted by your administrator'],
      }),
    );
    expect((await as(administrator).post(path, input)).body).toMatchObject({
      visibility: 'public',
    });
  });

  test('the first push creates the default branch', async () => {
    const response = await as(administrator).post(path, {
      name: 'branched',
      default_branch: 'main',
    });
    expect(response.body).toMatchObject({ default_branch: 'main' });
    const folder = await workTree({ 'README.md': '# Branched' });
    const address = remote('ada/branched', ada);
    await git(folder, 'push', '--quiet', address, 'master:topic', 'master:main');
    expect(await git(folder, 'ls-remote', '--symref', address, 'HEAD')).toContain(
      'ref: refs/heads/main\tHEAD',
    );
    expect((await as(ada).get('/projects/ada%2Fbranched')).body).toMatchObject({
      default_branch: 'main',
    });
    await rm(folder, { recursive: true });
    expect(await as(administrator).post(path, { name: 'odd', default_branch: 'a..b' })).toEqual(
      refused.invalid({ default_branch: ['is invalid'] }),
    );
  });

  test('POST /projects ignores a default branch', async () => {
    const response = await as(ada).post('/projects', { name: 'plain', default_branch: 'main' });
    expect(response).toMatchObject({ status: 201, body: { default_branch: null } });
  });

  test('is refused to everyone except administrators, before parameters are checked', async () => {
    expect(await as(null).post(path, { name: 'x' })).toEqual(refused.anonymous);
    for (const person of [ada, bob, eve]) {
      expect(await as(person).post(path, { name: 'x' })).toEqual(refused.forbidden);
      expect(await as(person).post(path, {})).toEqual(refused.forbidden);
    }
  });

  test('an unknown user gives 404', async () => {
    for (const id of [0, 999_999, '99999999999999']) {
      expect(await as(administrator).post(`/projects/user/${id}`, { name: 'x' })).toEqual(
        refused.missing('User'),
      );
    }
  });

  test.each([
    ['ada', { name: 'x' }, 'user_id is invalid'],
    ['1', { path: 'x' }, 'name is missing'],
    ['1', { name: 'x', namespace_id: 'acme' }, 'namespace_id is invalid'],
    ['1', { name: 'x', namespace_id: 2 ** 31 }, 'namespace_id is invalid'],
  ])('for %s, rejects %j: %s', async (user, input, text) => {
    expect(await as(administrator).post(`/projects/user/${user}`, input)).toEqual(
      refused.parameter(text),
    );
  });

  test('rejects an empty name', async () => {
    expect(await as(administrator).post(path, { name: '', path: 'x' })).toEqual(
      refused.invalid({ name: ["can't be blank"] }),
    );
  });
});
