import { describe, expect, test } from 'vitest';
import type { ApiResponse, Parameters } from '../support/client.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const acme = await seed.group('acme', { owner: ada });
const { id: unchangedId } = await seed.project('ada/still');

const idOf = ({ body }: ApiResponse) => (body as { id: number }).id;
const alreadyTaken = ['has already been taken'];
const path = alreadyTaken;
const both = { name: alreadyTaken, path };
const createInAcme = (input: Parameters) =>
  as(ada).post('/projects', { namespace_id: acme.id, ...input });

describe('a path derived from a name', () => {
  test.each([
    ['Simple', 'simple'],
    ['Two  Words', 'two-words'],
    ['Ünïcödé Straße', 'unicode-stra-e'],
    ['C++ Tool', 'c-tool'],
    ['v1.2 - rc_3', 'v1-2-rc_3'],
    ['☃ snow ☃', 'snow'],
    ['2017', '2017'],
  ])('%s becomes %s', async (name, path) => {
    const response = await as(ada).post('/projects', { name });
    expect(response).toMatchObject({
      status: 201,
      body: {
        name,
        path,
        name_with_namespace: `ada / ${name}`,
        path_with_namespace: `ada/${path}`,
        web_url: `${url}/ada/${path}`,
        http_url_to_repo: `${url}/ada/${path}.git`,
        ssh_url_to_repo: `git@localhost:ada/${path}.git`,
      },
    });
  });

  test('a name without usable characters requires a path', async () => {
    expect(await as(ada).post('/projects', { name: '日本' })).toEqual(
      refused.invalid({ path: ["can't be blank"] }),
    );
    const response = await as(ada).post('/projects', { name: '日本', path: 'nihon' });
    expect(response).toMatchObject({ status: 201, body: { name: '日本', path: 'nihon' } });
  });

  test('a name with a reserved path is rejected', async () => {
    expect(await as(ada).post('/projects', { name: 'Wikis' })).toEqual(
      refused.invalid({ path: ['wikis is a reserved name'] }),
    );
  });
});

describe('the format of a path', () => {
  const shape =
    "can contain only letters, digits, '_', '-' and '.'. " +
    "Cannot start with '-' or end in '.', '.git' or '.atom'.";

  test.each(['a', '_a', '0', 'a.b-c_d', 'A.B', 'x'.repeat(255), 'git', 'atom', 'blobs', 'a.GITx'])(
    '%s is valid',
    async (path) => {
      const response = await as(ada).post('/projects', { path, name: `n ${path.slice(0, 20)}` });
      expect(response).toMatchObject({ status: 201, body: { path } });
    },
  );

  const invalidPaths: [string, string][] = [
    ['', "can't be blank"],
    ['-a', shape],
    ['.a', shape],
    ['a.', shape],
    ['a..b', shape],
    ['a.git', shape],
    ['a.GIT', shape],
    ['a.atom', shape],
    ['a b', shape],
    ['a/b', shape],
    ['ä', shape],
    ['a\n', shape],
    ['a%2Fb', shape],
    ['x'.repeat(256), 'is too long (maximum is 255 characters)'],
    ...[
      'badges blame blob builds commits create create_dir edit files find_file new preview raw refs',
      'tree update wikis Tree BLOB a.wiki a.WIKI',
    ]
      .flatMap((line) => line.split(' '))
      .map((path): [string, string] => [path, `${path} is a reserved name`]),
  ];
  test.each(invalidPaths)('%j is invalid: %s', async (path, text) => {
    const faults = refused.invalid({ path: [text] });
    expect(await as(ada).post('/projects', { name: 'fresh', path })).toEqual(faults);
    expect(await as(ada).put(`/projects/${unchangedId}`, { path })).toEqual(faults);
  });
});

describe('the format of a name', () => {
  const text = "can contain only letters, digits, '_', '.', dash and space.";

  test.each(['Ünï ☃', 'a+b', 'a – b', '1', '_', '東京', 'x'.repeat(255)])(
    '%s is valid',
    async (name) => {
      const path = `named-${Buffer.from(name).toString('hex').slice(0, 40)}`;
      const response = await as(ada).post('/projects', { name, path });
      expect(response).toMatchObject({ status: 201, body: { name } });
    },
  );

  test.each([
    ['', "can't be blank"],
    ['  ', "can't be blank"],
    ['-a', text],
    [' a', text],
    ['.a', text],
    ['a/b', text],
    ['a<b', text],
    ['a\nb', text],
    ['a\u202Eb', text],
    ['x'.repeat(256), 'is too long (maximum is 255 characters)'],
  ])('%j is invalid: %s', async (name, fault) => {
    const faults = refused.invalid({ name: [fault] });
    expect(await as(ada).post('/projects', { name, path: 'fresh' })).toEqual(faults);
    expect(await as(ada).put(`/projects/${unchangedId}`, { name })).toEqual(faults);
  });

  test('all errors are reported together', async () => {
    expect(await as(ada).post('/projects', { name: '<', path: '-' })).toEqual(
      refused.invalid({
        name: [text],
        path: [
          "can contain only letters, digits, '_', '-' and '.'. " +
            "Cannot start with '-' or end in '.', '.git' or '.atom'.",
        ],
      }),
    );
  });
});

describe('paths and names that are taken', async () => {
  await seed.project('acme/Taken', {}, { name: 'Taken Name' });
  await seed.group('acme/tools');

  test.each([
    [{ path: 'Taken' }, { path }],
    [{ path: 'tAKEN', name: 'other' }, { path }],
    [{ path: 'other', name: 'Taken Name' }, { name: alreadyTaken }],
    [{ path: 'taken', name: 'Taken Name' }, both],
    // the path of a subgroup
    [{ path: 'TOOLS' }, { path }],
  ])('rejects %j', async (input, faults) => {
    expect(await createInAcme(input)).toEqual(refused.invalid(faults));
  });

  test('names are case-sensitive', async () => {
    expect((await createInAcme({ path: 'cased', name: 'TAKEN NAME' })).status).toBe(201);
  });

  test('names and paths are unique per namespace', async () => {
    const input = { path: 'taken', name: 'Taken Name' };
    expect((await as(ada).post('/projects', input)).status).toBe(201);
    expect((await as(bob).post('/projects', input)).status).toBe(201);
  });

  test('a group cannot take the path of a project, nor can an update take a used path', async () => {
    const input = { name: 'x', path: 'TAKEN', parent_id: acme.id };
    expect((await as(ada).post('/groups', input)).status).toBe(400);
    const { id } = await seed.project('acme/other');
    const put = (change: Parameters) => as(ada).put(`/projects/${id}`, change);
    expect(await put({ path: 'taken' })).toEqual(refused.invalid({ path }));
    expect(await put({ path: 'tools' })).toEqual(refused.invalid({ path }));
    expect(await put({ name: 'Taken Name' })).toEqual(
      refused.invalid({ name: ['has already been taken'] }),
    );
    expect((await put({ path: 'other', name: 'other' })).status).toBe(200);
    expect((await put({ path: 'OTHER' })).body).toMatchObject({ path: 'OTHER' });
  });

  test('one of several concurrent requests for a path succeeds', async () => {
    const created = await Promise.all(
      Array.from({ length: 10 }, () => createInAcme({ path: 'wanted' })),
    );
    expect(created.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(created.filter(({ status }) => status !== 201)).toEqual(
      Array(9).fill(refused.invalid(both)),
    );
    const ids = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => idOf(await createInAcme({ path: `racer-${n}` }))),
    );
    const moved = await Promise.all(
      ids.map((id) => as(ada).put(`/projects/${id}`, { path: 'Goal' })),
    );
    expect(moved.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of moved.filter((response) => response.status !== 200)) {
      expect({ status, body: JSON.stringify(body) }).toEqual({
        status: 400,
        body: expect.stringContaining('has already been taken'),
      });
    }
  });
});

describe('a former path of a project', () => {
  test('is not found in the API and can be used for a new project', async () => {
    const { id } = await seed.project('acme/had');
    expect((await as(ada).put(`/projects/${id}`, { path: 'has' })).status).toBe(200);
    expect(await as(ada).get('/projects/acme%2Fhad')).toEqual(refused.missing('Project'));
    expect((await as(ada).get('/projects/acme%2Fhas')).body).toMatchObject({ id });
    expect(await createInAcme({ path: 'HAD' })).toMatchObject({
      status: 201,
      body: { path: 'HAD' },
    });
    expect(await db.formerPath.count({ where: { projectId: id } })).toBe(0);
  });

  test('can be used by a renamed project and by a subgroup', async () => {
    for (const former of ['left', 'right']) {
      const { id } = await seed.project(`acme/${former}`);
      expect((await as(ada).put(`/projects/${id}`, { path: `not-${former}` })).status).toBe(200);
    }
    const rival = idOf(await createInAcme({ path: 'rival' }));
    expect((await as(ada).put(`/projects/${rival}`, { path: 'left' })).status).toBe(200);
    const subgroup = { name: 'right', path: 'right', parent_id: acme.id };
    expect((await as(ada).post('/groups', subgroup)).status).toBe(201);
    const former = await db.formerPath.findMany({
      where: { key: { in: ['acme/left', 'acme/right', 'acme/rival'] } },
    });
    expect(former.map(({ key }) => key)).toEqual(['acme/rival']);
  });

  test('can be restored, and the replaced path becomes the former one', async () => {
    const { id } = await seed.project('acme/swing');
    for (const path of ['swung', 'swing', 'SWUNG', 'swing']) {
      const { status, body } = await as(ada).put(`/projects/${id}`, { path });
      expect({ status, body }).toMatchObject({ status: 200, body: { path } });
      expect((await as(ada).get(`/projects/acme%2F${path}`)).body).toMatchObject({ id });
    }
    const former = await db.formerPath.findMany({ where: { projectId: id } });
    expect(former.map(({ key }) => key)).toEqual(['acme/swung']);
  });

  test('and of a renamed group cannot be used by others', async () => {
    const { id } = await seed.group('before', { owner: ada });
    await seed.project('before/app');
    expect((await as(ada).put(`/groups/${id}`, { path: 'after' })).status).toBe(200);
    expect((await as(ada).get('/projects/after%2Fapp')).body).toMatchObject({
      path_with_namespace: 'after/app',
    });
    expect((await as(bob).post('/groups', { name: 'before', path: 'before' })).status).toBe(400);
    const subgroup = await seed.group('after/earlier', { owner: ada });
    expect((await as(ada).put(`/groups/${subgroup.id}`, { path: 'later' })).status).toBe(200);
    const input = { name: 'x', path: 'earlier', namespace_id: id };
    expect(await as(ada).post('/projects', input)).toEqual(refused.invalid({ path }));
  });
});
