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

/** Somebody or something new for a test, that the owner owns. */
const fresh = {
  users: async () => (await seed.user(next())).id,
  groups: async () => (await seed.group(next(), { owner }, { visibility: 'public' })).id,
  projects: async () => {
    const above = next();
    await seed.group(above, { owner }, { visibility: 'public' });
    return (await seed.project(`${above}/app`, {}, { visibility: 'public' })).id;
  },
};

const gone = { status: 204, body: null };
const core = { key: 'team', value: 'core' };

describe.each([
  ['users', 'User'],
  ['groups', 'Group'],
  ['projects', 'Project'],
] as const)('custom attributes of %s', (kind, name) => {
  const made = async () => {
    const id = await fresh[kind]();
    return `/${kind}/${id}/custom_attributes`;
  };

  test('nobody but administrators may', async () => {
    const all = await made();
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

  test('there must be such a thing', async () => {
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
    test('they come in the order in which they were made, all of them', async () => {
      const all = await made();
      const others = await made();
      await as(root).put(`${others}/other`, { value: 'x' });
      expect(await as(root).get(all)).toEqual({ status: 200, body: [] });
      const wanted = Array.from({ length: 25 }, (_, n) => ({ key: `k${25 - n}`, value: `v${n}` }));
      for (const { key, value } of wanted) await as(root).put(`${all}/${key}`, { value });
      await as(root).put(`${all}/k25`, { value: 'v0' });
      expect(await as(root).get(`${all}?per_page=1`)).toEqual({ status: 200, body: wanted });
    });
  });

  describe(`GET /${kind}/:id/custom_attributes/:key`, () => {
    test('one is shown', async () => {
      const all = await made();
      await as(root).put(`${all}/team`, { value: 'core' });
      expect(await as(root).get(`${all}/team`)).toEqual({ status: 200, body: core });
    });

    test.each(['Team', 'none', 'x'.repeat(300), '%25', '%20'])('%s is not there', async (key) => {
      const all = await made();
      await as(root).put(`${all}/team`, { value: 'core' });
      expect(await as(root).get(`${all}/${key}`)).toEqual(refused.record);
      expect(await as(root).delete(`${all}/${key}`)).toEqual(refused.record);
    });
  });

  describe(`PUT /${kind}/:id/custom_attributes/:key`, () => {
    test('makes one, and changes it', async () => {
      const all = await made();
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

    test('a key and a value may be anything that has something to say', async () => {
      const all = await made();
      const key = 'a/b.c %_ \u00e9 😀';
      const path = `${all}/${encodeURIComponent(key)}`;
      expect(await as(root).put(path, { value: 42 })).toEqual({
        status: 200,
        body: { key, value: '42' },
      });
      expect(await as(root).get(path)).toEqual({ status: 200, body: { key, value: '42' } });
      expect(await as(root).delete(path)).toEqual(gone);
    });

    test('the longest are kept and found, and longer ones are refused', async () => {
      const all = await made();
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

    test('a value is needed', async () => {
      const all = await made();
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

    test('twenty at once make one', async () => {
      const all = await made();
      const values = Array.from({ length: 20 }, (_, n) => `v${n}`);
      const answers = await Promise.all(
        values.map((value) => as(root).put(`${all}/team`, { value })),
      );
      expect(answers).toEqual(
        values.map((value) => ({ status: 200, body: { key: 'team', value } })),
      );
      const { body } = await as(root).get(all);
      expect(body).toEqual([{ key: 'team', value: expect.stringMatching(/^v\d+$/) }]);
    });

    test('nobody has more than a thousand', async () => {
      const id = await fresh[kind]();
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
    test('takes one away, once', async () => {
      const all = await made();
      await as(root).put(`${all}/team`, { value: 'core' });
      await as(root).put(`${all}/floor`, { value: '3' });
      expect(await as(root).delete(`${all}/team`)).toEqual(gone);
      expect(await as(root).delete(`${all}/team`)).toEqual(refused.record);
      expect((await as(root).get(all)).body).toEqual([{ key: 'floor', value: '3' }]);
    });
  });

  describe(`GET /${kind}?custom_attributes`, () => {
    const found = async (person: typeof ada | null, query: string, from = `/${kind}`) => {
      const { status, body } = await as(person).get(`${from}?${query}&per_page=100`);
      expect(status).toBe(200);
      return (body as { id: number }[]).map(({ id }) => id);
    };

    test('administrators find what all of them are noted of', async () => {
      const [both, one, none] = [await fresh[kind](), await fresh[kind](), await fresh[kind]()];
      const mark = next();
      const note = (id: number, key: string, value: string) =>
        as(root).put(`/${kind}/${id}/custom_attributes/${key}`, { value });
      await note(both, mark, 'core');
      await note(both, 'floor', mark);
      await note(one, mark, 'core');
      await note(none, mark, 'other');
      const query = `custom_attributes[${mark}]=core`;
      expect((await found(root, query)).toSorted()).toEqual([both, one].toSorted());
      expect(await found(root, `${query}&custom_attributes[floor]=${mark}`)).toEqual([both]);
      expect(await found(root, `custom_attributes[${mark}]=cor`)).toEqual([]);
      const response = await as(root).fetch(`/${kind}?${query}`);
      expect(response.headers.get('X-Total')).toBe('2');
      await as(root).delete(`/${kind}/${both}/custom_attributes/${mark}`);
      expect(await found(root, query)).toEqual([one]);
    });

    test('a long value is another one where only its end differs', async () => {
      const [one, other] = [await fresh[kind](), await fresh[kind]()];
      const value = 'x'.repeat(300);
      await as(root).put(`/${kind}/${one}/custom_attributes/long`, { value: `${value}1` });
      await as(root).put(`/${kind}/${other}/custom_attributes/long`, { value: `${value}2` });
      expect(await found(root, `custom_attributes[long]=${value}2`)).toEqual([other]);
      expect(await found(root, `custom_attributes[long]=${value}`)).toEqual([]);
    });

    test('for others it narrows nothing', async () => {
      const query = 'custom_attributes[none]=x';
      expect(await found(ada, query)).toEqual(await found(ada, ''));
      expect(await found(ada, query)).not.toEqual([]);
      expect(await found(root, query)).toEqual([]);
    });

    test.each(['custom_attributes=core', 'custom_attributes[a][b]=core'])(
      'rejects ?%s',
      async (query) => {
        expect(await as(root).get(`/${kind}?${query}`)).toEqual(
          refused.parameter('custom_attributes is invalid'),
        );
      },
    );

    test('more than can be looked for are refused', async () => {
      const query = Array.from({ length: 21 }, (_, n) => `custom_attributes[k${n}]=v`).join('&');
      expect(await as(root).get(`/${kind}?${query}`)).toEqual(
        refused.invalid({ custom_attributes: ['are too many (maximum is 20)'] }),
      );
    });
  });
});

test('groups and projects are named by their paths, too', async () => {
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

test('a group lists its subgroups and projects by them', async () => {
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
    expect((body as { id: number }[]).map((found) => found.id)).toEqual([expected]);
  }
});

test('who is removed leaves none behind', async () => {
  const { id } = await seed.user('leaving');
  await as(root).put(`/users/${id}/custom_attributes/team`, { value: 'core' });
  expect((await as(root).delete(`/users/${id}`)).status).toBe(204);
  await expect.poll(() => db.userCustomAttribute.count({ where: { userId: id } })).toBe(0);
  expect(await as(root).get(`/users/${id}/custom_attributes`)).toEqual(refused.missing('User'));
});
