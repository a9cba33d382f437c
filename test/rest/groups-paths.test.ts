import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');

const alreadyTaken = refused.invalid({ path: ['has already been taken'] });
const rename = (id: number, change: object) => as(ada).put(`/groups/${id}`, { ...change });

/** The response to git for `fullPath`: the status and the line with the new address. */
const remoteOf = async (fullPath: string, { username, token }: TestUser) => {
  const authorization = `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
  const response = await fetch(`${url}/${fullPath}.git/info/refs?service=git-upload-pack`, {
    headers: { authorization },
    redirect: 'manual',
  });
  const [, address = null] = /set-url origin (\S+)/.exec(await response.text()) ?? [];
  return { status: response.status, address };
};

describe('PUT /groups/:id with a path', () => {
  test('rejects the path of another user, group or project', async () => {
    const { id } = await seed.group('mine', { owner: ada });
    const inner = await seed.group('mine/inner');
    await seed.group('theirs', { owner: bob });
    await seed.group('mine/sister');
    await seed.project('mine/app');
    for (const path of ['bob', 'BOB', 'theirs', 'Theirs']) {
      expect(await rename(id, { path })).toEqual(alreadyTaken);
    }
    for (const path of ['sister', 'Sister', 'app', 'APP']) {
      expect(await rename(inner.id, { path })).toEqual(alreadyTaken);
    }
    expect((await as(ada).get('/groups/mine%2Finner')).body).toMatchObject({ id: inner.id });
  });

  test('rejects a former path of another group and accepts its own', async () => {
    const { id } = await seed.group('first', { owner: ada });
    const other = await seed.group('other', { owner: ada });
    await seed.project('first/app');
    expect((await rename(id, { path: 'second' })).status).toBe(200);
    expect(await rename(other.id, { path: 'first' })).toEqual(alreadyTaken);
    expect(await rename(other.id, { path: 'FIRST' })).toEqual(alreadyTaken);
    expect((await rename(id, { path: 'first' })).status).toBe(200);
    expect((await as(ada).get('/projects/first%2Fapp')).status).toBe(200);
    expect(await rename(other.id, { path: 'second' })).toEqual(alreadyTaken);
  });

  test('accepts a change of case', async () => {
    const { id } = await seed.group('letters', { owner: ada });
    const app = await seed.project('letters/app');
    const { status, body } = await rename(id, { path: 'Letters' });
    expect({ status, body }).toMatchObject({ status: 200, body: { full_path: 'Letters' } });
    expect((await as(ada).get('/projects/letters%2Fapp')).body).toMatchObject({
      id: app.id,
      path_with_namespace: 'Letters/app',
    });
    expect(await db.formerPath.count({ where: { namespaceId: id } })).toBe(0);
    expect((await rename(id, { path: 'letters' })).status).toBe(200);
  });

  test('redirects git from every former path', async () => {
    const { id } = await seed.group('one', { owner: ada });
    await seed.group('one/inner');
    await seed.project('one/inner/app');
    await rename(id, { path: 'two' });
    await rename(id, { path: 'three' });
    const address = `${url}/three/inner/app.git`;
    expect(await remoteOf('three/inner/app', ada)).toEqual({ status: 200, address: null });
    for (const path of ['one', 'two']) {
      expect(await remoteOf(`${path}/inner/app`, ada)).toEqual({ status: 301, address });
      expect(await remoteOf(`${path}/inner/app`, bob)).toEqual({ status: 404, address: null });
    }
    await rename(id, { path: 'one' });
    expect(await remoteOf('one/inner/app', ada)).toEqual({ status: 200, address: null });
    expect(await remoteOf('two/inner/app', ada)).toEqual({
      status: 301,
      address: `${url}/one/inner/app.git`,
    });
  });

  test('a new project below a former path takes over its path', async () => {
    const { id } = await seed.group('swap', { owner: ada });
    const { id: moved } = await seed.project('swap/app');
    await as(ada).put(`/projects/${moved}`, { path: 'elsewhere' });
    await rename(id, { path: 'swapped' });
    const fresh = await seed.project('swapped/app', {}, { name: 'Fresh' });
    expect((await rename(id, { path: 'swap' })).status).toBe(200);
    expect((await as(ada).get('/projects/swap%2Fapp')).body).toMatchObject({ id: fresh.id });
    expect((await as(ada).get('/projects/swap%2Felsewhere')).body).toMatchObject({ id: moved });
  });

  test('rejects a path that makes a path below too long', async () => {
    const { id } = await seed.group('tall', { owner: ada });
    let parent_id = id;
    for (const letter of ['a', 'b', 'c']) {
      const path = letter.repeat(245);
      const { body } = await as(ada).post('/groups', { name: letter, path, parent_id });
      parent_id = (body as { id: number }).id;
    }
    await as(ada).post('/projects', { path: 'p'.repeat(240), namespace_id: parent_id });
    expect(await rename(id, { path: 'x'.repeat(22) })).toEqual(
      refused.invalid({
        path: ['is too long with everything above it (maximum is 1000 characters)'],
      }),
    );
    expect((await rename(id, { path: 'x'.repeat(21) })).status).toBe(200);
  });
});

describe('PUT /groups/:id', () => {
  test('requires at least one parameter', async () => {
    const { id } = await seed.group('unchanged', { owner: ada });
    const text =
      'name, path, description, visibility, lfs_enabled, request_access_enabled, avatar ' +
      'are missing, at least one parameter must be provided';
    for (const change of [{}, { colour: 'red' }, { parent_id: 1 }]) {
      expect(await rename(id, change)).toEqual(refused.parameter(text));
    }
  });

  test('changes all fields at once', async () => {
    const { id } = await seed.group('all-of-it', { owner: ada });
    const change = {
      name: 'All Of It',
      path: 'whole',
      description: 'x'.repeat(255),
      visibility: 'internal',
      lfs_enabled: false,
      request_access_enabled: true,
    };
    const { status, body } = await rename(id, change);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { ...change, full_name: 'All Of It', full_path: 'whole' },
    });
    expect((await rename(id, { description: '' })).body).toMatchObject({ description: '' });
  });

  test('a description has at most 255 characters', async () => {
    const { id } = await seed.group('talkative', { owner: ada });
    expect(await rename(id, { description: 'x'.repeat(256) })).toEqual(
      refused.invalid({ description: ['is too long (maximum is 255 characters)'] }),
    );
  });

  test('never moves a group, so cycles are impossible', async () => {
    const top = await seed.group('ring', { owner: ada });
    const below = await seed.group('ring/below');
    const deep = await seed.group('ring/below/deep');
    for (const parent_id of [top.id, deep.id, null, 999_999]) {
      const { status, body } = await rename(below.id, { parent_id, description: 'still' });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { id: below.id, parent_id: top.id, full_path: 'ring/below' },
      });
    }
    expect((await as(ada).get('/groups/ring%2Fbelow%2Fdeep')).status).toBe(200);
  });

  test('is allowed for administrators', async () => {
    const { body } = await as(ada).post('/groups', { name: 'private', path: 'private' });
    const { id } = body as { id: number };
    expect((await as(root).put(`/groups/${id}`, { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
    });
  });

  test('is allowed for an owner of the parent group', async () => {
    await seed.group('above', { owner: ada });
    const { id } = await seed.group('above/below', { master: bob });
    expect(await as(bob).put(`/groups/${id}`, { name: 'x' })).toEqual(refused.forbidden);
    expect((await rename(id, { name: 'x' })).status).toBe(200);
  });

  test('rejects an invalid boolean', async () => {
    const { id } = await seed.group('sorted', { owner: ada });
    expect(await rename(id, { lfs_enabled: 'perhaps', visibility: 'secret' })).toEqual(
      refused.parameter('visibility does not have a valid value, lfs_enabled is invalid'),
    );
  });
});
