import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/client.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, db, dataFolder } = await world();
const ada = await seed.user('ada');
const { id: group } = await seed.group('acme', { owner: ada });
const { id: project } = await seed.project('acme/app', { master: ada });
const client = as(ada);

const shapeText =
  "can contain only letters, digits, '_', '-' and '.'. " +
  "Cannot start with '-' or end in '.', '.git' or '.atom'.";
const nameText = "can contain only letters, digits, '_', '.', dash and space.";

/** Counts everything on disk and in the database that belongs to projects and groups. */
async function countRecords() {
  const folders = await readdir(join(dataFolder, 'repositories'), { recursive: true });
  return {
    repositories: folders.filter((name) => name.endsWith('.git')).length,
    // the heartbeat of the running server does not count
    marks: folders.filter((name) => /^\+(?!servers)\w+\/./.test(name)),
    projects: await db.project.count(),
    statistics: await db.projectStatistics.count(),
    namespaces: await db.namespace.count(),
    routes: await db.route.count(),
    members: await db.member.count(),
  };
}

const badPaths = [
  '..',
  '../up',
  'a..b',
  'a/b',
  'a\\b',
  '.git',
  'x.git',
  'x.GIT',
  'x.atom',
  'x.',
  '-x',
  'a b',
  'a\nb',
  'a\u0007b',
  'a\u202eb',
  'ä',
  '%2e%2e',
];

describe('invalid paths', () => {
  test.each(badPaths)('%o is rejected as the path of a project', async (path) => {
    const before = await countRecords();
    expect(await client.post('/projects', { name: 'fine', path })).toEqual(
      refused.invalid({ path: [shapeText] }),
    );
    expect(await client.put(`/projects/${project}`, { path })).toEqual(
      refused.invalid({ path: [shapeText] }),
    );
    expect(await countRecords()).toEqual(before);
  });

  test.each(badPaths)('%o is rejected as the path of a group', async (path) => {
    const before = await countRecords();
    const { status, body } = await client.post('/groups', { name: 'fine', path });
    expect({ status, body }).toEqual({
      status: 400,
      body: { message: `Failed to save group {:path=>["${shapeText}"]}` },
    });
    expect(await client.put(`/groups/${group}`, { path })).toEqual(
      refused.invalid({ path: [shapeText] }),
    );
    expect(await countRecords()).toEqual(before);
  });

  test.each(['tree', 'BLOB', 'raw', 'wikis', 'new', 'x.wiki'])(
    '%s is reserved in projects',
    async (path) => {
      expect(await client.post('/projects', { name: 'fine', path })).toEqual(
        refused.invalid({ path: [`${path} is a reserved name`] }),
      );
    },
  );

  test.each(['api', 'Admin', '-', 'users', 'graphql', 'oauth', '.well-known', 'robots.txt'])(
    '%s is reserved at the top level',
    async (path) => {
      const text = path === '-' ? shapeText : `${path} is a reserved name`;
      expect((await client.post('/groups', { name: 'fine', path })).body).toEqual({
        message: `Failed to save group {:path=>["${text}"]}`,
      });
    },
  );

  test.each(['a/b', '<b>', 'a\nb', 'a\u0007', '\u202eabc', ' x', 'a\\b', '.x'])(
    '%o is rejected as a name',
    async (name) => {
      expect(await client.post('/projects', { name, path: 'fine' })).toEqual(
        refused.invalid({ name: [nameText] }),
      );
    },
  );

  test('NUL and unpaired surrogates are rejected', async () => {
    for (const text of ['a\0b', '\ud800']) {
      expect(await client.post('/projects', { name: text })).toEqual(
        refused.parameter('name is invalid'),
      );
      expect(await client.put(`/groups/${group}`, { description: text })).toEqual(
        refused.parameter('description is invalid'),
      );
    }
  });
});

describe('invalid URLs', () => {
  test.each([
    '/projects/a%00b',
    '/projects/%ff',
    '/projects/%',
    '/groups/%E0%A4',
    `/projects/${project}/repository/blobs/%00`,
  ])('%s gives 400', async (path) => {
    expect(await client.get(path)).toEqual({ status: 400, body: { error: '400 Bad Request' } });
  });

  test.each([
    ['/projects/..%2F..%2Fetc%2Fpasswd', 'Project'],
    ['/projects/acme%2F..%2Facme%2Fapp', 'Project'],
    ['/projects/acme%2Fapp.git', 'Project'],
    ['/projects/%0d%0aX-Evil:1', 'Project'],
    [`/projects/${'9'.repeat(400)}`, 'Project'],
    [`/projects/${'x'.repeat(4000)}`, 'Project'],
    ['/projects/-1', 'Project'],
    ['/groups/..', 'Group'],
    ['/groups/2147483648', 'Group'],
    ['/users/4294967297', 'User'],
  ])('%s gives 404', async (path, resource) => {
    const encoded = path.endsWith('/..') ? path.replace('..', '%2E%2E%2Fx') : path;
    expect(await client.get(encoded)).toEqual(refused.missing(resource));
  });
});

describe('integers beyond 32 bits', () => {
  const tooLarge = [2 ** 31, -(2 ** 31), 2 ** 53, 1e30, '99999999999', '9'.repeat(30)];

  test.each(tooLarge)('%s is rejected as an id in a body', async (number) => {
    expect(await client.post('/projects', { name: 'x', namespace_id: number })).toEqual(
      refused.parameter('namespace_id is invalid'),
    );
    expect(await client.post('/groups', { name: 'x', path: 'x', parent_id: number })).toEqual(
      refused.parameter('parent_id is invalid'),
    );
    expect(
      await client.post(`/projects/${project}/members`, { user_id: number, access_level: 10 }),
    ).toEqual(refused.parameter('user_id is invalid'));
  });

  test.each(tooLarge)('%s is rejected in a query', async (number) => {
    expect(await client.get(`/groups?skip_groups[]=${encodeURIComponent(number)}`)).toEqual(
      refused.parameter('skip_groups is invalid'),
    );
  });

  test('an id in a path that is too large gives 404', async () => {
    for (const source of [`/projects/${project}`, `/groups/${group}`]) {
      expect(await client.get(`${source}/members/99999999999`)).toEqual(refused.record);
      expect(await client.put(`${source}/members/99999999999`, { access_level: 10 })).toEqual(
        refused.record,
      );
      expect(await client.delete(`${source}/members/99999999999`)).toEqual(refused.record);
    }
  });

  test('a fraction is rejected', async () => {
    expect(await client.post('/projects', { name: 'x', namespace_id: 1.5 })).toEqual(
      refused.parameter('namespace_id is invalid'),
    );
  });
});

describe('very large requests', () => {
  const send = async (body: string, type = 'application/json'): Promise<ApiResponse> => {
    const headers = { 'Content-Type': type };
    const response = await client.fetch('/projects', { method: 'POST', headers, body });
    return { status: response.status, body: await response.json() };
  };

  test('a text of nearly a megabyte is read and rejected', async () => {
    const long = 'x'.repeat(2 ** 20 - 100);
    expect(await client.post('/projects', { name: long, path: 'fine' })).toEqual(
      refused.invalid({ name: ['is too long (maximum is 255 characters)'] }),
    );
    expect(await client.post('/projects', { path: long })).toEqual(
      refused.invalid({
        name: ['is too long (maximum is 255 characters)'],
        path: ['is too long (maximum is 255 characters)'],
      }),
    );
    expect(await client.get(`/projects?search=${'x'.repeat(3000)}`)).toEqual(
      refused.invalid({ search: ['is too long (maximum is 255 characters)'] }),
    );
  });

  test('a body above four megabytes gives 413', async () => {
    const { status, body } = await send(JSON.stringify({ name: 'x'.repeat(4 * 2 ** 20) }));
    expect({ status, body }).toEqual({
      status: 413,
      body: { message: '413 Request Entity Too Large' },
    });
  });

  test('a password of a megabyte is rejected without hashing all of it', async () => {
    const password = 'x'.repeat(2 ** 20 - 100);
    expect((await as(null).post('/session', { login: 'ada', password })).status).toBe(401);
  });

  test.each([
    ['deep', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ['deep lists', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['many', JSON.stringify({ tag_list: Array.from({ length: 20_000 }, () => 'x') })],
    ['cut off', '{"name":"x"'],
    ['a list', '[{"name":"x"}]'],
    ['a scalar', '"name"'],
  ])('JSON that is %s is rejected', async (_label, text) => {
    const { status, body } = await send(text);
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: expect.stringMatching(/message body does not match declared format/) },
    });
  });

  test('JSON that is null has no parameters', async () => {
    expect(await send('null')).toEqual(await send('{}'));
  });

  test('a form nested too deeply is rejected', async () => {
    const text = `name${'[a]'.repeat(100)}=x`;
    const { status, body } = await send(text, 'application/x-www-form-urlencoded');
    expect({ status, body }).toEqual({ status: 400, body: { error: '400 Bad Request' } });
  });

  test('names of prototypes have no effect', async () => {
    const text = '{"__proto__":{"name":"evil"},"constructor":{"name":"evil"}}';
    expect(await send(text)).toEqual(
      refused.parameter('name, path are missing, at least one parameter must be provided'),
    );
  });

  test('XML gives 406', async () => {
    const { status, body } = await send('<name/>', 'application/xml');
    expect({ status, body }).toEqual({
      status: 406,
      body: { error: "The requested content-type 'application/xml' is not supported." },
    });
  });
});

describe('a project and its repository', () => {
  test('are created together', async () => {
    const before = await countRecords();
    expect((await client.post('/projects', { name: 'both' })).status).toBe(201);
    expect(await countRecords()).toEqual({
      ...before,
      repositories: before.repositories + 1,
      projects: before.projects + 1,
      statistics: before.statistics + 1,
      routes: before.routes + 1,
      members: before.members + 1,
    });
  });

  test('one of twenty concurrent requests for a path creates a complete project', async () => {
    const before = await countRecords();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/projects', { name: 'raced' })),
    );
    const alreadyTaken = refused.invalid({
      name: ['has already been taken'],
      path: ['has already been taken'],
    });
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 201)).toEqual(Array(19).fill(alreadyTaken));
    expect(await countRecords()).toMatchObject({
      repositories: before.repositories + 1,
      projects: before.projects + 1,
      routes: before.routes + 1,
      marks: [],
    });
  });

  test('one of twenty concurrent requests for a path creates a group', async () => {
    const before = await countRecords();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/groups', { name: 'g', path: 'raced-group' })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(400)]);
    expect(await countRecords()).toMatchObject({ namespaces: before.namespaces + 1 });
  });

  test('fifty concurrent changes of one project succeed or are rejected', async () => {
    const { id } = await seed.project('ada/busy');
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        client.put(`/projects/${id}`, { description: `${n}`, path: `busy-${n % 5}` }),
      ),
    );
    expect(responses.filter(({ status }) => ![200, 400].includes(status))).toEqual([]);
  });

  test('fifty concurrent changes of one group succeed or are rejected', async () => {
    const { id } = await seed.group('bustle', { owner: ada });
    await seed.project('bustle/app');
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        client.put(`/groups/${id}`, { description: `${n}`, path: `bustle-${n % 5}` }),
      ),
    );
    expect(responses.filter(({ status }) => ![200, 400].includes(status))).toEqual([]);
  });
});
