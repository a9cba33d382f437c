import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const people = {
  stranger: await seed.user('stranger'),
  guest: await seed.user('guest'),
  reporter: await seed.user('reporter'),
  developer: await seed.user('developer'),
  master: await seed.user('master'),
  owner: await seed.user('owner'),
  above: await seed.user('above'),
  external: await seed.user('external', { isExternal: true }),
};
const { above, owner, stranger, external, ...roles } = people;
const { master } = people;

await seed.group('top', { master: above, owner }, { visibility: 'public' });

let count = 0;
const place = () => {
  count += 1;
  return `top/t${count}`;
};

/** A group or project of its own for a test, with all those people in it. */
const kinds = {
  groups: async (settings = {}) => {
    const path = place();
    const { id } = await seed.group(path, roles, settings);
    return { id, path, variables: `/groups/${id}/variables`, where: { namespaceId: id } };
  },
  projects: async (settings = {}) => {
    const path = place();
    const { id } = await seed.project(path, roles, settings);
    return { id, path, variables: `/projects/${id}/variables`, where: { projectId: id } };
  },
};

const token = { key: 'TOKEN', value: 's3cret', protected: false };
const gone = { status: 204, body: null };
const taken = refused.invalid({ key: ['has already been taken'] });
const odd = "can contain only letters, digits and '_'.";
const tooLong = 'is too long (maximum is 255 characters)';

describe.each([
  ['groups', 'Group', 'GroupVariable'],
  ['projects', 'Project', 'Variable'],
] as const)('variables of %s', (kind, name, variable) => {
  const fresh = kinds[kind];

  /** Every row of the section, with parameters that somebody who may would be told are missing. */
  const rows = (variables: string) =>
    [
      ['GET', variables],
      ['GET', `${variables}/TOKEN`],
      ['POST', variables],
      ['PUT', `${variables}/TOKEN`],
      ['DELETE', `${variables}/NONE`],
    ] as const;

  describe('who may', () => {
    test.each([
      ['a guest', people.guest, 403],
      ['a reporter', people.reporter, 403],
      ['a developer', people.developer, 403],
      ['a stranger', stranger, 404],
      ['nobody in particular', null, 401],
    ])('%s is refused before the parameters are judged', async (_who, person, status) => {
      const { variables } = await fresh();
      await as(root).post(variables, token);
      const refusal = {
        403: refused.forbidden,
        404: refused.missing(name),
        401: refused.anonymous,
      };
      for (const [method, path] of rows(variables)) {
        const response = await as(person).fetch(path, { method });
        expect({ status: response.status, body: await response.json() }).toEqual(
          refusal[status as keyof typeof refusal],
        );
      }
    });

    test('what is public shows its variables no more than what is private', async () => {
      const { variables } = await fresh({ visibility: 'public' });
      expect(await as(null).get(variables)).toEqual(refused.anonymous);
      expect(await as(stranger).get(variables)).toEqual(refused.forbidden);
      expect(await as(external).post(variables, token)).toEqual(refused.forbidden);
    });

    test.each([
      ['a master', master],
      ['a master of the group above', above],
      ['an owner of the group above', owner],
      ['an administrator', root],
    ])('%s reads and changes them', async (_who, person) => {
      const { variables } = await fresh();
      const client = as(person);
      expect(await client.post(variables, token)).toEqual({ status: 201, body: token });
      expect(await client.get(variables)).toEqual({ status: 200, body: [token] });
      expect(await client.get(`${variables}/TOKEN`)).toEqual({ status: 200, body: token });
      const changed = { ...token, value: 'other' };
      expect(await client.put(`${variables}/TOKEN`, { value: 'other' })).toEqual({
        status: 200,
        body: changed,
      });
      expect(await client.delete(`${variables}/TOKEN`)).toEqual(gone);
    });

    test('who is a master no more is refused at once', async () => {
      const { id, variables } = await fresh();
      expect((await as(master).get(variables)).status).toBe(200);
      await as(root).put(`/${kind}/${id}/members/${master.id}`, { access_level: 30 });
      expect(await as(master).get(variables)).toEqual(refused.forbidden);
    });

    test('there must be such a thing', async () => {
      expect(await as(root).get(`/${kind}/999999/variables`)).toEqual(refused.missing(name));
      expect(await as(root).post(`/${kind}/none/variables`)).toEqual(refused.missing(name));
    });
  });

  describe(`GET /${kind}/:id/variables`, () => {
    test('they come in the order in which they were made, a page at a time', async () => {
      const { path, variables } = await fresh();
      for (const key of ['B', 'A', 'C']) await as(master).post(variables, { key, value: key });
      const all = ['B', 'A', 'C'].map((key) => ({ key, value: key, protected: false }));
      expect((await as(master).get(variables)).body).toEqual(all);
      expect((await as(master).get(`/${kind}/${encodeURIComponent(path)}/variables`)).body).toEqual(
        all,
      );
      const response = await as(master).fetch(`${variables}?per_page=2&page=2`);
      expect({ total: response.headers.get('X-Total'), body: await response.json() }).toEqual({
        total: '3',
        body: all.slice(2),
      });
      expect(await as(master).get(`${variables}?page=x`)).toEqual(
        refused.parameter('page is invalid'),
      );
    });

    test('one sees those of this place alone', async () => {
      const { variables } = await fresh();
      const { variables: others } = await fresh();
      await as(master).post(others, token);
      expect(await as(master).get(variables)).toEqual({ status: 200, body: [] });
      expect(await as(master).get(`${variables}/TOKEN`)).toEqual(refused.missing(variable));
    });
  });

  describe(`GET /${kind}/:id/variables/:key`, () => {
    test.each(['NONE', 'token', 'TOKEN%20', '%F0%9F%98%80', 'a%2Fb', 'K'.repeat(256)])(
      '%s is not found',
      async (key) => {
        const { variables } = await fresh();
        await as(master).post(variables, token);
        expect(await as(master).get(`${variables}/${key}`)).toEqual(refused.missing(variable));
      },
    );
  });

  describe(`POST /${kind}/:id/variables`, () => {
    test.each([
      ['nothing', ''],
      ['blanks', ' \t '],
      ['several lines', '-----BEGIN KEY-----\r\nabc=\n\n-----END KEY-----\n'],
      ['emoji, right-to-left and combining letters', '😀 شكرا \u202e e\u0301'],
      ['what looks like something else', '{"a":["$B"]} %41 \\u0000 &amp;'],
      ['as many letters as there may be', 'x'.repeat(65_536)],
      ['as many emoji as there may be', '😀é'.repeat(20_000)],
    ])('%s comes back as it was given', async (_what, value) => {
      const { variables } = await fresh();
      const body = { key: 'VALUE', value, protected: false };
      expect(await as(master).post(variables, { key: 'VALUE', value })).toEqual({
        status: 201,
        body,
      });
      expect(await as(master).get(`${variables}/VALUE`)).toEqual({ status: 200, body });
    });

    test('a value of more than 65536 characters is refused', async () => {
      const { variables } = await fresh();
      expect(await as(master).post(variables, { key: 'VALUE', value: 'x'.repeat(65_537) })).toEqual(
        refused.invalid({ value: ['is too long (maximum is 65536 characters)'] }),
      );
    });

    test('a form says the same', async () => {
      const { variables } = await fresh();
      const body = new URLSearchParams({ key: '_1a', value: 'a+b & c', protected: 'true' });
      const response = await as(master).fetch(variables, { method: 'POST', body });
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 201,
        body: { key: '_1a', value: 'a+b & c', protected: true },
      });
    });

    test('numbers and flags are text', async () => {
      const { variables } = await fresh();
      const wanted = { key: 'N', value: 1, protected: 1 };
      expect((await as(master).post(variables, wanted)).body).toEqual({
        key: 'N',
        value: '1',
        protected: true,
      });
    });

    test('a value is stored so that only this instance reads it', async () => {
      const { variables, where } = await fresh();
      await as(master).post(variables, token);
      const made = await db.variable.findFirstOrThrow({ where });
      await as(master).put(`${variables}/TOKEN`, { value: 'an other s3cret' });
      const changed = await db.variable.findFirstOrThrow({ where });
      expect(changed.valueSealed).not.toBe(made.valueSealed);
      for (const row of [made, changed]) {
        expect(row.valueSealed).toMatch(/^[0-9a-f]{8}:[\w-]{40,}$/);
        const stored = Buffer.from(row.valueSealed.slice(9), 'base64url').toString('latin1');
        expect(JSON.stringify(row) + stored).not.toContain('s3cret');
      }
    });

    test('the longest key there is', async () => {
      const { variables } = await fresh();
      const key = `${'Aa0_'.repeat(63)}xyz`;
      expect((await as(master).post(variables, { key, value: '1' })).status).toBe(201);
      expect((await as(master).get(`${variables}/${key}`)).status).toBe(200);
    });

    test.each([
      ['', ["can't be blank"]],
      ['  ', ["can't be blank"]],
      ['a b', [odd]],
      ['a-b', [odd]],
      ['KEY\n', [odd]],
      ['ключ', [odd]],
      ['😀', [odd]],
      ['K'.repeat(256), [tooLong]],
      ['-'.repeat(256), [tooLong, odd]],
    ])('%j is no key', async (key, texts) => {
      const { variables } = await fresh();
      expect(await as(master).post(variables, { key, value: '1' })).toEqual(
        refused.invalid({ key: texts }),
      );
    });

    test('key and value are required, and of their kind', async () => {
      const { variables } = await fresh();
      expect(await as(master).post(variables)).toEqual(
        refused.parameter('key is missing, value is missing'),
      );
      expect(await as(master).post(variables, { key: 'A', value: null })).toEqual(
        refused.parameter('value is missing'),
      );
      const wrong = { key: ['A'], value: 'a\0b', protected: 'perhaps' };
      expect(await as(master).post(variables, wrong)).toEqual(
        refused.parameter('key is invalid, value is invalid, protected is invalid'),
      );
    });

    test('a key is taken once; in another case it is another one', async () => {
      const { variables } = await fresh();
      await as(master).post(variables, token);
      expect(await as(master).post(variables, { ...token, value: 'x' })).toEqual(taken);
      expect((await as(master).post(variables, { ...token, key: 'Token' })).status).toBe(201);
      expect((await as(master).get(`${variables}/TOKEN`)).body).toEqual(token);
    });

    test('of twenty at once one is made', async () => {
      const { variables } = await fresh();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => as(master).post(variables, token)),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(19).fill(taken));
    });
  });

  describe(`PUT /${kind}/:id/variables/:key`, () => {
    test('what is not given stays', async () => {
      const { variables } = await fresh();
      await as(master).post(variables, token);
      const one = `${variables}/TOKEN`;
      const isKept = { ...token, protected: true };
      expect(await as(master).put(one, { protected: true })).toEqual({ status: 200, body: isKept });
      const empty = { ...isKept, value: '' };
      expect(await as(master).put(one, { value: '' })).toEqual({ status: 200, body: empty });
      expect(await as(master).put(one, { ...token })).toEqual({ status: 200, body: token });
      expect(await as(master).get(variables)).toEqual({ status: 200, body: [token] });
    });

    test('a key stays, whatever else is named', async () => {
      const { variables } = await fresh();
      await as(master).post(variables, token);
      expect((await as(master).put(`${variables}/TOKEN`, { key: 'B', value: 'b' })).body).toEqual({
        ...token,
        value: 'b',
      });
      expect(await as(master).put(`${variables}/TOKEN`, { key: 'B' })).toEqual(
        refused.parameter('value, protected are missing, at least one parameter must be provided'),
      );
    });

    test('there must be one, and what is given must be of its kind', async () => {
      const { variables } = await fresh();
      expect(await as(master).put(`${variables}/TOKEN`, { value: 'x' })).toEqual(
        refused.missing(variable),
      );
      expect(await as(master).put(`${variables}/TOKEN`, { value: {}, protected: 2 })).toEqual(
        refused.parameter('value is invalid, protected is invalid'),
      );
    });
  });

  describe(`DELETE /${kind}/:id/variables/:key`, () => {
    test('it is gone, and can be made again', async () => {
      const { variables } = await fresh();
      await as(master).post(variables, token);
      expect(await as(master).delete(`${variables}/TOKEN`)).toEqual(gone);
      expect(await as(master).delete(`${variables}/TOKEN`)).toEqual(refused.missing(variable));
      expect((await as(master).post(variables, token)).status).toBe(201);
    });

    test('what was changed after the moment named stays', async () => {
      const { variables } = await fresh();
      await as(master).post(variables, token);
      const remove = (since: string) =>
        as(master).fetch(`${variables}/TOKEN`, {
          method: 'DELETE',
          headers: { 'If-Unmodified-Since': since },
        });
      const early = await remove('Fri, 01 Jan 2016 00:00:00 GMT');
      expect({ status: early.status, body: await early.json() }).toEqual({
        status: 412,
        body: { message: '412 Precondition Failed' },
      });
      expect((await remove('Fri, 01 Jan 2999 00:00:00 GMT')).status).toBe(204);
    });
  });
});

test('a master by a share manages those of the project', async () => {
  const { id } = await kinds.projects();
  const { id: lent } = await seed.group('lent', { master: stranger });
  await as(root).post(`/projects/${id}/share`, { group_id: lent, group_access: 40 });
  expect((await as(stranger).post(`/projects/${id}/variables`, token)).status).toBe(201);
  expect(await as(stranger).get(`/projects/${id}/variables/TOKEN`)).toEqual({
    status: 200,
    body: token,
  });
});

test('what a group has its projects do not list', async () => {
  await as(owner).post('/groups/top/variables', token);
  const { variables } = await kinds.projects();
  expect(await as(master).get(variables)).toEqual({ status: 200, body: [] });
  expect(await as(master).get('/groups/top/variables')).toEqual(refused.forbidden);
});
