import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const users = {
  outsider: await seed.user('outsider'),
  guest: await seed.user('guest'),
  reporter: await seed.user('reporter'),
  developer: await seed.user('developer'),
  master: await seed.user('master'),
  owner: await seed.user('owner'),
  parentMaster: await seed.user('parent-master'),
  external: await seed.user('external', { isExternal: true }),
};
const { parentMaster, owner, outsider, external, ...roles } = users;
const { master } = users;

await seed.group('top', { master: parentMaster, owner }, { visibility: 'public' });

let count = 0;
const nextPath = () => {
  count += 1;
  return `top/t${count}`;
};

/** Creates a separate group or project for each test, with the users above as members. */
const kinds = {
  groups: async (settings = {}) => {
    const path = nextPath();
    const { id } = await seed.group(path, roles, settings);
    return { id, path, variables: `/groups/${id}/variables`, where: { namespaceId: id } };
  },
  projects: async (settings = {}) => {
    const path = nextPath();
    const { id } = await seed.project(path, roles, settings);
    return { id, path, variables: `/projects/${id}/variables`, where: { projectId: id } };
  },
};

const token = { key: 'TOKEN', value: 's3cret', protected: false };
const noContent = { status: 204, body: null };
const alreadyTaken = refused.invalid({ key: ['has already been taken'] });
const odd = "can contain only letters, digits and '_'.";
const tooLong = 'is too long (maximum is 255 characters)';

describe.each([
  ['groups', 'Group', 'GroupVariable'],
  ['projects', 'Project', 'Variable'],
] as const)('variables of %s', (kind, name, variable) => {
  const createOwner = kinds[kind];

  /** Every endpoint of the section, without the required parameters. */
  const rows = (variables: string) =>
    [
      ['GET', variables],
      ['GET', `${variables}/TOKEN`],
      ['POST', variables],
      ['PUT', `${variables}/TOKEN`],
      ['DELETE', `${variables}/NONE`],
    ] as const;

  describe('access', () => {
    test.each([
      ['a guest', users.guest, 403],
      ['a reporter', users.reporter, 403],
      ['a developer', users.developer, 403],
      ['a non-member', outsider, 404],
      ['an anonymous user', null, 401],
    ])('%s is refused before the parameters are checked', async (_caller, person, status) => {
      const { variables } = await createOwner();
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

    test('a public group or project does not reveal its variables', async () => {
      const { variables } = await createOwner({ visibility: 'public' });
      expect(await as(null).get(variables)).toEqual(refused.anonymous);
      expect(await as(outsider).get(variables)).toEqual(refused.forbidden);
      expect(await as(external).post(variables, token)).toEqual(refused.forbidden);
    });

    test.each([
      ['a master', master],
      ['a master of the parent group', parentMaster],
      ['an owner of the parent group', owner],
      ['an administrator', root],
    ])('%s reads and changes them', async (_caller, person) => {
      const { variables } = await createOwner();
      const client = as(person);
      expect(await client.post(variables, token)).toEqual({ status: 201, body: token });
      expect(await client.get(variables)).toEqual({ status: 200, body: [token] });
      expect(await client.get(`${variables}/TOKEN`)).toEqual({ status: 200, body: token });
      const changed = { ...token, value: 'other' };
      expect(await client.put(`${variables}/TOKEN`, { value: 'other' })).toEqual({
        status: 200,
        body: changed,
      });
      expect(await client.delete(`${variables}/TOKEN`)).toEqual(noContent);
    });

    test('a member who is no longer a master is refused immediately', async () => {
      const { id, variables } = await createOwner();
      expect((await as(master).get(variables)).status).toBe(200);
      await as(root).put(`/${kind}/${id}/members/${master.id}`, { access_level: 30 });
      expect(await as(master).get(variables)).toEqual(refused.forbidden);
    });

    test('an unknown group or project gives 404', async () => {
      expect(await as(root).get(`/${kind}/999999/variables`)).toEqual(refused.missing(name));
      expect(await as(root).post(`/${kind}/none/variables`)).toEqual(refused.missing(name));
    });
  });

  describe(`GET /${kind}/:id/variables`, () => {
    test('lists variables in the order of creation, in pages', async () => {
      const { path, variables } = await createOwner();
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

    test('lists the own variables only', async () => {
      const { variables } = await createOwner();
      const { variables: otherVariables } = await createOwner();
      await as(master).post(otherVariables, token);
      expect(await as(master).get(variables)).toEqual({ status: 200, body: [] });
      expect(await as(master).get(`${variables}/TOKEN`)).toEqual(refused.missing(variable));
    });
  });

  describe(`GET /${kind}/:id/variables/:key`, () => {
    test.each(['NONE', 'token', 'TOKEN%20', '%F0%9F%98%80', 'a%2Fb', 'K'.repeat(256)])(
      '%s gives 404',
      async (key) => {
        const { variables } = await createOwner();
        await as(master).post(variables, token);
        expect(await as(master).get(`${variables}/${key}`)).toEqual(refused.missing(variable));
      },
    );
  });

  describe(`POST /${kind}/:id/variables`, () => {
    test.each([
      ['an empty value', ''],
      ['blanks', ' \t '],
      ['several lines', '-----BEGIN KEY-----\r\nabc=\n\n-----END KEY-----\n'],
      ['emoji, right-to-left and combining letters', '😀 شكرا \u202e e\u0301'],
      ['JSON and escape sequences', '{"a":["$B"]} %41 \\u0000 &amp;'],
      ['the longest value', 'x'.repeat(65_536)],
      ['the longest value of emoji', '😀é'.repeat(20_000)],
    ])('stores %s unchanged', async (_label, value) => {
      const { variables } = await createOwner();
      const body = { key: 'VALUE', value, protected: false };
      expect(await as(master).post(variables, { key: 'VALUE', value })).toEqual({
        status: 201,
        body,
      });
      expect(await as(master).get(`${variables}/VALUE`)).toEqual({ status: 200, body });
    });

    test('rejects a value of more than 65536 characters', async () => {
      const { variables } = await createOwner();
      expect(await as(master).post(variables, { key: 'VALUE', value: 'x'.repeat(65_537) })).toEqual(
        refused.invalid({ value: ['is too long (maximum is 65536 characters)'] }),
      );
    });

    test('a form is equivalent to JSON', async () => {
      const { variables } = await createOwner();
      const body = new URLSearchParams({ key: '_1a', value: 'a+b & c', protected: 'true' });
      const response = await as(master).fetch(variables, { method: 'POST', body });
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 201,
        body: { key: '_1a', value: 'a+b & c', protected: true },
      });
    });

    test('numbers and booleans are converted to text', async () => {
      const { variables } = await createOwner();
      const input = { key: 'N', value: 1, protected: 1 };
      expect((await as(master).post(variables, input)).body).toEqual({
        key: 'N',
        value: '1',
        protected: true,
      });
    });

    test('a value is stored encrypted', async () => {
      const { variables, where } = await createOwner();
      await as(master).post(variables, token);
      const created = await db.variable.findFirstOrThrow({ where });
      await as(master).put(`${variables}/TOKEN`, { value: 'an other s3cret' });
      const changed = await db.variable.findFirstOrThrow({ where });
      expect(changed.valueSealed).not.toBe(created.valueSealed);
      for (const row of [created, changed]) {
        expect(row.valueSealed).toMatch(/^[0-9a-f]{8}:[\w-]{40,}$/);
        const stored = Buffer.from(row.valueSealed.slice(9), 'base64url').toString('latin1');
        expect(JSON.stringify(row) + stored).not.toContain('s3cret');
      }
    });

    test('accepts the longest key', async () => {
      const { variables } = await createOwner();
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
    ])('%j is rejected as a key', async (key, texts) => {
      const { variables } = await createOwner();
      expect(await as(master).post(variables, { key, value: '1' })).toEqual(
        refused.invalid({ key: texts }),
      );
    });

    test('key and value are required, and types are checked', async () => {
      const { variables } = await createOwner();
      expect(await as(master).post(variables)).toEqual(
        refused.parameter('key is missing, value is missing'),
      );
      expect(await as(master).post(variables, { key: 'A', value: null })).toEqual(
        refused.parameter('value is missing'),
      );
      const invalidInput = { key: ['A'], value: 'a\0b', protected: 'perhaps' };
      expect(await as(master).post(variables, invalidInput)).toEqual(
        refused.parameter('key is invalid, value is invalid, protected is invalid'),
      );
    });

    test('a key is unique and case-sensitive', async () => {
      const { variables } = await createOwner();
      await as(master).post(variables, token);
      expect(await as(master).post(variables, { ...token, value: 'x' })).toEqual(alreadyTaken);
      expect((await as(master).post(variables, { ...token, key: 'Token' })).status).toBe(201);
      expect((await as(master).get(`${variables}/TOKEN`)).body).toEqual(token);
    });

    test('one of twenty concurrent requests creates the variable', async () => {
      const { variables } = await createOwner();
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => as(master).post(variables, token)),
      );
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(responses.filter(({ status }) => status !== 201)).toEqual(
        Array(19).fill(alreadyTaken),
      );
    });
  });

  describe(`PUT /${kind}/:id/variables/:key`, () => {
    test('omitted fields stay', async () => {
      const { variables } = await createOwner();
      await as(master).post(variables, token);
      const path = `${variables}/TOKEN`;
      const unchanged = { ...token, protected: true };
      expect(await as(master).put(path, { protected: true })).toEqual({
        status: 200,
        body: unchanged,
      });
      const empty = { ...unchanged, value: '' };
      expect(await as(master).put(path, { value: '' })).toEqual({ status: 200, body: empty });
      expect(await as(master).put(path, { ...token })).toEqual({ status: 200, body: token });
      expect(await as(master).get(variables)).toEqual({ status: 200, body: [token] });
    });

    test('the key cannot be changed', async () => {
      const { variables } = await createOwner();
      await as(master).post(variables, token);
      expect((await as(master).put(`${variables}/TOKEN`, { key: 'B', value: 'b' })).body).toEqual({
        ...token,
        value: 'b',
      });
      expect(await as(master).put(`${variables}/TOKEN`, { key: 'B' })).toEqual(
        refused.parameter('value, protected are missing, at least one parameter must be provided'),
      );
    });

    test('an unknown variable gives 404, and types are checked', async () => {
      const { variables } = await createOwner();
      expect(await as(master).put(`${variables}/TOKEN`, { value: 'x' })).toEqual(
        refused.missing(variable),
      );
      expect(await as(master).put(`${variables}/TOKEN`, { value: {}, protected: 2 })).toEqual(
        refused.parameter('value is invalid, protected is invalid'),
      );
    });
  });

  describe(`DELETE /${kind}/:id/variables/:key`, () => {
    test('deletes a variable, which can be created again', async () => {
      const { variables } = await createOwner();
      await as(master).post(variables, token);
      expect(await as(master).delete(`${variables}/TOKEN`)).toEqual(noContent);
      expect(await as(master).delete(`${variables}/TOKEN`)).toEqual(refused.missing(variable));
      expect((await as(master).post(variables, token)).status).toBe(201);
    });

    test('If-Unmodified-Since keeps a variable that was changed later', async () => {
      const { variables } = await createOwner();
      await as(master).post(variables, token);
      const remove = (since: string) =>
        as(master).fetch(`${variables}/TOKEN`, {
          method: 'DELETE',
          headers: { 'If-Unmodified-Since': since },
        });
      const response = await remove('Fri, 01 Jan 2016 00:00:00 GMT');
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 412,
        body: { message: '412 Precondition Failed' },
      });
      expect((await remove('Fri, 01 Jan 2999 00:00:00 GMT')).status).toBe(204);
    });
  });
});

test('a master by a share manages the variables of the project', async () => {
  const { id } = await kinds.projects();
  const { id: partners } = await seed.group('partners', { master: outsider });
  await as(root).post(`/projects/${id}/share`, { group_id: partners, group_access: 40 });
  expect((await as(outsider).post(`/projects/${id}/variables`, token)).status).toBe(201);
  expect(await as(outsider).get(`/projects/${id}/variables/TOKEN`)).toEqual({
    status: 200,
    body: token,
  });
});

test('a project does not list the variables of its group', async () => {
  await as(owner).post('/groups/top/variables', token);
  const { variables } = await kinds.projects();
  expect(await as(master).get(variables)).toEqual({ status: 200, body: [] });
  expect(await as(master).get('/groups/top/variables')).toEqual(refused.forbidden);
});
