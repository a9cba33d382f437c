import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const owner = await seed.user('owner');

let count = 0;
const next = () => {
  count += 1;
  return `t${count}`;
};

/** Creates a user, group or project for a test. */
const createOwner = {
  users: async () => (await seed.user(next())).id,
  groups: async () => (await seed.group(next(), { owner }, { visibility: 'public' })).id,
  projects: async () => {
    const above = next();
    await seed.group(above, { owner }, { visibility: 'public' });
    return (await seed.project(`${above}/app`, {}, { visibility: 'public' })).id;
  },
};

const deleted = { status: 204, body: null };
const core = { key: 'team', value: 'core' };

describe.each([
  ['users', 'User'],
  ['groups', 'Group'],
  ['projects', 'Project'],
] as const)('custom attributes of %s', (kind, name) => {
  const createPath = async () => {
    const id = await createOwner[kind]();
    return `/${kind}/${id}/custom_attributes`;
  };

  test('requires an administrator', async () => {
    const all = await createPath();
    await as(root).put(`${all}/team`, { value: 'core' });
    for (const path of [all, `/${kind}/999999/custom_attributes`]) {
      for (const person of [ada, owner, null]) {
        expect(await as(person).get(path)).toEqual(refused.forbidden);
        expect(await as(person).get(`${path}/team`)).toEqual(refused.forbidden);
        const refusal = person ? refused.forbidden : refused.anonymous;
        expect(await as(person).put(`${path}/team`, {})).toEqual(refusal);
        expect(await as(person).put(`${path}/team`, { value: 'x' })).toEqual(refusal);
        expect(await as(person).delete(`${path}/team`)).toEqual(refusal);
      }
    }
    expect(await as(root).get(all)).toEqual({ status: 200, body: [core] });
  });

  test('an unknown owner gives 404', async () => {
    const all = `/${kind}/999999/custom_attributes`;
    const missing = refused.missing(name);
    expect(await as(root).get(all)).toEqual(missing);
    expect(await as(root).get(`${all}/team`)).toEqual(missing);
    expect(await as(root).put(`${all}/team`, { value: 'core' })).toEqual(missing);
    expect(await as(root).delete(`${all}/team`)).toEqual(missing);
    const tooLong = `/${kind}/${'9'.repeat(15)}/custom_attributes`;
    expect((await as(root).get(tooLong)).status).toBe(404);
  });

  describe(`GET /${kind}/:id/custom_attributes`, () => {
    test('lists all attributes in the order of creation', async () => {
      const all = await createPath();
      const otherOwner = await createPath();
      await as(root).put(`${otherOwner}/other`, { value: 'x' });
      expect(await as(root).get(all)).toEqual({ status: 200, body: [] });
      const attributes = Array.from({ length: 25 }, (_, n) => ({
        key: `k${25 - n}`,
        value: `v${n}`,
      }));
      for (const { key, value } of attributes) await as(root).put(`${all}/${key}`, { value });
      await as(root).put(`${all}/k25`, { value: 'v0' });
      expect(await as(root).get(`${all}?per_page=1`)).toEqual({ status: 200, body: attributes });
    });
  });

  describe(`GET /${kind}/:id/custom_attributes/:key`, () => {
    test('shows an attribute', async () => {
      const all = await createPath();
      await as(root).put(`${all}/team`, { value: 'core' });
      expect(await as(root).get(`${all}/team`)).toEqual({ status: 200, body: core });
    });

    test.each(['Team', 'none', 'x'.repeat(300), '%25', '%20'])('%s gives 404', async (key) => {
      const all = await createPath();
      await as(root).put(`${all}/team`, { value: 'core' });
      expect(await as(root).get(`${all}/${key}`)).toEqual(refused.record);
      expect(await as(root).delete(`${all}/${key}`)).toEqual(refused.record);
    });
  });

  describe(`PUT /${kind}/:id/custom_attributes/:key`, () => {
    test('creates and changes an attribute', async () => {
      const all = await createPath();
      const changed = { key: 'team', value: 'other' };
      expect(await as(root).put(`${all}/team`, { value: 'core' })).toEqual({
        status: 200,
        body: core,
      });
      expect(await as(root).put(`${all}/team`, { value: 'other' })).toEqual({
        status: 200,
        body: changed,
      });
      expect(await as(root).get(all)).toEqual({ status: 200, body: [changed] });
    });

    test('accepts any key and value that are not blank', async () => {
      const all = await createPath();
      const key = 'a/b.c %_ \u00e9 😀';
      const path = `${all}/${encodeURIComponent(key)}`;
      expect(await as(root).put(path, { value: 42 })).toEqual({
        status: 200,
        body: { key, value: '42' },
      });
      expect(await as(root).get(path)).toEqual({ status: 200, body: { key, value: '42' } });
      expect(await as(root).delete(path)).toEqual(deleted);
    });

    test('accepts the maximum lengths and rejects longer ones', async () => {
      const all = await createPath();
      const random = (length: number) =>
        Array.from({ length }, () =>
          String.fromCharCode(0x4e00 + Math.floor(Math.random() * 20_000)),
        ).join('');
      const [key, value] = [random(255), random(65_535)];
      const path = `${all}/${encodeURIComponent(key)}`;
      expect(await as(root).put(path, { value })).toEqual({ status: 200, body: { key, value } });
      expect(await as(root).get(path)).toEqual({ status: 200, body: { key, value } });
      expect(await as(root).put(`${all}/${'x'.repeat(256)}`, { value: 'core' })).toEqual(
        refused.invalid({ key: ['is too long (maximum is 255 characters)'] }),
      );
      expect(await as(root).put(`${all}/long`, { value: 'x'.repeat(65_536) })).toEqual(
        refused.invalid({ value: ['is too long (maximum is 65535 characters)'] }),
      );
    });

    test('a value is required', async () => {
      const all = await createPath();
      const put = (body: Record<string, unknown>) => as(root).put(`${all}/team`, body);
      const blank = refused.invalid({ value: ["can't be blank"] });
      expect(await put({})).toEqual(refused.parameter('value is missing'));
      expect(await put({ value: null })).toEqual(refused.parameter('value is missing'));
      expect(await put({ value: ['core'] })).toEqual(refused.parameter('value is invalid'));
      expect(await put({ value: 'a\0b' })).toEqual(refused.parameter('value is invalid'));
      expect(await put({ value: '' })).toEqual(blank);
      expect(await put({ value: ' \n' })).toEqual(blank);
      expect(await as(root).put(`${all}/%20`, { value: 'x' })).toEqual(
        refused.invalid({ key: ["can't be blank"] }),
      );
      expect(await as(root).get(all)).toEqual({ status: 200, body: [] });
    });

    test('twenty concurrent requests create one attribute', async () => {
      const all = await createPath();
      const values = Array.from({ length: 20 }, (_, n) => `v${n}`);
      const responses = await Promise.all(
        values.map((value) => as(root).put(`${all}/team`, { value })),
      );
      expect(responses).toEqual(
        values.map((value) => ({ status: 200, body: { key: 'team', value } })),
      );
      const { body } = await as(root).get(all);
      expect(body).toEqual([{ key: 'team', value: expect.stringMatching(/^v\d+$/) }]);
    });

    test('rejects more than 1000 attributes', async () => {
      const id = await createOwner[kind]();
      const path = `/${kind}/${id}/custom_attributes`;
      const table = { users: 'user', groups: 'namespace', projects: 'project' }[kind];
      await db.$executeRawUnsafe(
        `INSERT INTO ${table}_custom_attributes (${table}_id, key, value)
         SELECT ${id}, 'k' || n, 'v' FROM generate_series(1, 1000) n`,
      );
      expect(await as(root).put(`${path}/one`, { value: 'more' })).toEqual(
        refused.invalid({ key: ['is one too many (maximum is 1000)'] }),
      );
      expect((await as(root).put(`${path}/k7`, { value: 'w' })).status).toBe(200);
      expect((await as(root).get(path)).body).toHaveLength(1000);
    });
  });

  describe(`DELETE /${kind}/:id/custom_attributes/:key`, () => {
    test('deletes an attribute once', async () => {
      const all = await createPath();
      await as(root).put(`${all}/team`, { value: 'core' });
      await as(root).put(`${all}/floor`, { value: '3' });
      expect(await as(root).delete(`${all}/team`)).toEqual(deleted);
      expect(await as(root).delete(`${all}/team`)).toEqual(refused.record);
      expect((await as(root).get(all)).body).toEqual([{ key: 'floor', value: '3' }]);
    });
  });

  describe(`GET /${kind}?custom_attributes`, () => {
    const listIds = async (person: typeof ada | null, query: string, from = `/${kind}`) => {
      const { status, body } = await as(person).get(`${from}?${query}&per_page=100`);
      expect(status).toBe(200);
      return (body as { id: number }[]).map(({ id }) => id);
    };

    test('administrators filter by several attributes', async () => {
      const [both, second, none] = [
        await createOwner[kind](),
        await createOwner[kind](),
        await createOwner[kind](),
      ];
      const mark = next();
      const setAttribute = (id: number, key: string, value: string) =>
        as(root).put(`/${kind}/${id}/custom_attributes/${key}`, { value });
      await setAttribute(both, mark, 'core');
      await setAttribute(both, 'floor', mark);
      await setAttribute(second, mark, 'core');
      await setAttribute(none, mark, 'other');
      const query = `custom_attributes[${mark}]=core`;
      expect((await listIds(root, query)).toSorted()).toEqual([both, second].toSorted());
      expect(await listIds(root, `${query}&custom_attributes[floor]=${mark}`)).toEqual([both]);
      expect(await listIds(root, `custom_attributes[${mark}]=cor`)).toEqual([]);
      const response = await as(root).fetch(`/${kind}?${query}`);
      expect(response.headers.get('X-Total')).toBe('2');
      await as(root).delete(`/${kind}/${both}/custom_attributes/${mark}`);
      expect(await listIds(root, query)).toEqual([second]);
    });

    test('long values are compared in full', async () => {
      const [first, other] = [await createOwner[kind](), await createOwner[kind]()];
      const value = 'x'.repeat(300);
      await as(root).put(`/${kind}/${first}/custom_attributes/long`, { value: `${value}1` });
      await as(root).put(`/${kind}/${other}/custom_attributes/long`, { value: `${value}2` });
      expect(await listIds(root, `custom_attributes[long]=${value}2`)).toEqual([other]);
      expect(await listIds(root, `custom_attributes[long]=${value}`)).toEqual([]);
    });

    test('is ignored for other callers', async () => {
      const query = 'custom_attributes[none]=x';
      expect(await listIds(ada, query)).toEqual(await listIds(ada, ''));
      expect(await listIds(ada, query)).not.toEqual([]);
      expect(await listIds(root, query)).toEqual([]);
    });

    test.each(['custom_attributes=core', 'custom_attributes[a][b]=core'])(
      'rejects ?%s',
      async (query) => {
        expect(await as(root).get(`/${kind}?${query}`)).toEqual(
          refused.parameter('custom_attributes is invalid'),
        );
      },
    );

    test('rejects too many attributes', async () => {
      const query = Array.from({ length: 21 }, (_, n) => `custom_attributes[k${n}]=v`).join('&');
      expect(await as(root).get(`/${kind}?${query}`)).toEqual(
        refused.invalid({ custom_attributes: ['are too many (maximum is 20)'] }),
      );
    });
  });
});

test('groups and projects are found by their paths', async () => {
  await seed.group('acme');
  await seed.project('acme/app');
  for (const path of ['/groups/acme', '/projects/acme%2Fapp']) {
    expect((await as(root).put(`${path}/custom_attributes/team`, { value: 'core' })).body).toEqual(
      core,
    );
    expect((await as(root).get(`${path}/custom_attributes`)).body).toEqual([core]);
  }
  expect((await as(root).get('/users/ada/custom_attributes')).status).toBe(404);
});

test('subgroups and projects of a group are filtered by attributes', async () => {
  const { id } = await seed.group('wide');
  const { id: below } = await seed.group('wide/below');
  const { id: within } = await seed.project('wide/app');
  await seed.group('wide/other');
  await seed.project('wide/more');
  await as(root).put(`/groups/${below}/custom_attributes/size`, { value: '1' });
  await as(root).put(`/projects/${within}/custom_attributes/size`, { value: '1' });
  for (const [path, expected] of [
    [`/groups/${id}/subgroups`, below],
    [`/groups/${id}/projects`, within],
  ] as const) {
    const { body } = await as(root).get(`${path}?custom_attributes[size]=1`);
    expect((body as { id: number }[]).map((record) => record.id)).toEqual([expected]);
  }
});

test('the attributes of a deleted user are deleted', async () => {
  const { id } = await seed.user('leaving');
  await as(root).put(`/users/${id}/custom_attributes/team`, { value: 'core' });
  expect((await as(root).delete(`/users/${id}`)).status).toBe(204);
  await expect.poll(() => db.userCustomAttribute.count({ where: { userId: id } })).toBe(0);
  expect(await as(root).get(`/users/${id}/custom_attributes`)).toEqual(refused.missing('User'));
});
