import { describe, expect, test } from 'vitest';
import type { Created } from '../support/seed.ts';
import { denied, fault, restOf, soapClientOf } from '../support/soap.ts';
import { newPublicKey } from '../support/ssh-keys.ts';
import { world } from '../support/world.ts';

const { as, db, root, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const hers = soap.as(ada);
const roots = soap.as(root);
const rest = restOf(as);
const noUser = fault('102', 'User Not Found');
const done = { result: true };

describe('user', () => {
  test('user.current', async () => {
    const told = await hers('user.current');
    expect(told).toEqual(await rest(ada, '/user'));
    expect(told.result).toMatchObject({ id: ada.id, email: ada.email });
    expect(await hers('user.current', ['one', 'more'])).toEqual(fault('100', 'too many arguments'));
  });

  test('user.list', async () => {
    const told = await hers('user.list', [{ username: 'bob' }]);
    expect(told).toEqual(await rest(ada, '/users?username=bob'));
    expect(told.result).toHaveLength(1);
    const wrong = fault('101', 'active is invalid');
    expect(await hers('user.list', [{ active: 'maybe' }])).toEqual(wrong);
  });

  test('user.info', async () => {
    const told = await hers('user.info', [bob.id]);
    expect(told).toEqual(await rest(ada, `/users/${bob.id}`));
    expect(told.result).toMatchObject({ username: 'bob' });
    expect(await roots('user.info', [String(bob.id)])).toEqual(
      await rest(root, `/users/${bob.id}`),
    );
    expect(await hers('user.info', [0])).toEqual(noUser);
    expect(await hers('user.info', ['bob'])).toMatchObject({ fault: { code: '102' } });
  });

  test('user.create, user.update and user.delete', async () => {
    const given = { username: 'cleo', name: 'Cléo', email: 'cleo@example.com' };
    const told = await roots('user.create', [{ ...given, password: 'long enough', admin: '0' }]);
    expect(told.result).toMatchObject({ ...given, state: 'active' });
    const { id } = told.result as Created;
    const shown = async () => (await rest(root, `/users/${id}`)).result;
    expect(await shown()).toMatchObject(told.result as object);
    const changed = await roots('user.update', [id, { bio: '<b>', external: 'true' }]);
    expect(changed.result).toEqual({ ...(told.result as object), bio: '<b>', external: true });
    expect(await shown()).toMatchObject(changed.result as object);
    expect(await roots('user.create', [given])).toEqual(
      fault('100', 'password, reset_password are missing, at least one parameter must be provided'),
    );
    expect(await roots('user.update', [id, { email: 'nowhere' }])).toEqual(
      fault('100', 'email is invalid'),
    );
    for (const method of ['create', 'update', 'delete']) {
      expect(await hers(`user.${method}`, [id])).toEqual(denied);
    }
    expect(await roots('user.delete', [id])).toEqual(done);
    expect(await roots('user.delete', [0])).toEqual(noUser);
  });

  test('user.block and user.unblock', async () => {
    expect(await roots('user.block', [bob.id])).toEqual(done);
    expect((await hers('user.info', [bob.id])).result).toMatchObject({ state: 'blocked' });
    expect(await roots('user.block', [bob.id])).toEqual({ result: false });
    expect(await roots('user.unblock', [bob.id])).toEqual(done);
    expect(await roots('user.block', [root.id])).toEqual(
      fault('2', 'Access denied. The API initiating user cannot be blocked by the API'),
    );
    expect(await roots('user.unblock', [0])).toEqual(noUser);
  });

  test('user.activities', async () => {
    const lastActivityOn = new Date(new Date().toISOString().slice(0, 10));
    await db.user.update({ where: { id: bob.id }, data: { lastActivityOn } });
    const told = await roots('user.activities', [{ from: '2017-01-01' }]);
    expect(told).toEqual(await rest(root, '/user/activities?from=2017-01-01'));
    expect(told.result).toEqual(
      expect.arrayContaining([expect.objectContaining({ username: 'bob' })]),
    );
    expect(await roots('user.activities', [{ from: 'once' }])).toEqual(
      fault('101', 'from is invalid'),
    );
    expect(await hers('user.activities')).toEqual(denied);
  });
});

/** What people have one by one, by the same methods: their own, and those of others for administrators. */
const belongings = [
  {
    resource: 'email',
    path: 'emails',
    given: (name: string) => ({ email: `${name}@example.com` }),
    missing: 'email is missing',
    noThing: fault('102', 'Email Not Found'),
  },
  {
    resource: 'ssh_key',
    path: 'keys',
    given: (name: string) => ({ title: name, key: newPublicKey() }),
    missing: 'title is missing, key is missing',
    noThing: fault('102', 'Key Not Found'),
  },
] as const;

describe.each(belongings)('$resource', ({ resource, path, given, missing, noThing }) => {
  test('of the caller: create, list, info and delete', async () => {
    const told = await hers(`${resource}.create`, [given('own')]);
    const { id } = told.result as Created;
    expect(told).toEqual(await rest(ada, `/user/${path}/${id}`));
    expect(await hers(`${resource}.info`, [id])).toEqual(told);
    expect(await hers(`${resource}.list`)).toEqual({ result: [told.result] });
    expect(await hers(`${resource}.list`, [{ per_page: '1' }])).toEqual(
      await rest(ada, `/user/${path}?per_page=1`),
    );
    expect(await hers(`${resource}.delete`, [id])).toEqual(done);
    for (const method of ['info', 'delete']) {
      expect(await hers(`${resource}.${method}`, [id])).toEqual(noThing);
    }
    expect(await hers(`${resource}.create`)).toEqual(fault('100', missing));
    expect(await hers(`${resource}.list`, [{ page: 'x' }])).toEqual(
      fault('101', 'page is invalid'),
    );
  });

  test('of a user: create_for_user, list_of_user and delete_of_user', async () => {
    const told = await roots(`${resource}.create_for_user`, [bob.id, given('others')]);
    const { id } = told.result as Created;
    expect(told).toEqual(await rest(bob, `/user/${path}/${id}`));
    const all = await roots(`${resource}.list_of_user`, [bob.id]);
    expect(all).toEqual(await rest(root, `/users/${bob.id}/${path}`));
    expect(all.result).toHaveLength(1);
    for (const method of ['create_for_user', 'list_of_user', 'delete_of_user']) {
      expect(await hers(`${resource}.${method}`, [bob.id, id])).toEqual(denied);
    }
    expect(await roots(`${resource}.create_for_user`, [0, given('nobody')])).toEqual(noUser);
    expect(await roots(`${resource}.list_of_user`, [0])).toEqual(noUser);
    expect(await roots(`${resource}.delete_of_user`, [bob.id, id])).toEqual(done);
    expect(await roots(`${resource}.delete_of_user`, [bob.id, id])).toEqual(noThing);
  });
});

test('ssh_key.info_with_user', async () => {
  const { result } = await hers('ssh_key.create', [{ title: 'Shown', key: newPublicKey() }]);
  const { id } = result as Created;
  const told = await roots('ssh_key.info_with_user', [id]);
  expect(told).toEqual(await rest(root, `/keys/${id}`));
  expect(told.result).toMatchObject({ ...(result as object), user: { id: ada.id } });
  expect(await hers('ssh_key.info_with_user', [id])).toEqual(denied);
});

test('impersonation_token.create, list, info and delete', async () => {
  const path = `/users/${bob.id}/impersonation_tokens`;
  const given = { name: 'Röbot', scopes: ['api', 'read_user'] };
  const told = await roots('impersonation_token.create', [bob.id, given]);
  const { id, token } = told.result as Created & { readonly token: string };
  expect(told).toEqual(await rest(root, `${path}/${id}`));
  expect(told.result).toMatchObject(given);
  expect((await rest({ ...bob, token }, '/user')).result).toMatchObject({ id: bob.id });
  expect(await roots('impersonation_token.info', [bob.id, id])).toEqual(told);
  expect(await roots('impersonation_token.list', [bob.id, { state: 'active' }])).toEqual(
    await rest(root, `${path}?state=active`),
  );
  expect(await roots('impersonation_token.delete', [bob.id, id])).toEqual(done);
  const inactive = await roots('impersonation_token.list', [bob.id, { state: 'inactive' }]);
  expect(inactive.result).toMatchObject([{ id, revoked: true }]);
  expect(await roots('impersonation_token.create', [bob.id])).toEqual(
    fault('100', 'name is missing'),
  );
  expect(await roots('impersonation_token.list', [bob.id, { state: 'odd' }])).toEqual(
    fault('101', 'state does not have a valid value'),
  );
  for (const method of ['info', 'delete']) {
    expect(await roots(`impersonation_token.${method}`, [bob.id, 0])).toEqual(
      fault('102', 'Impersonation Token Not Found'),
    );
    expect(await hers(`impersonation_token.${method}`, [bob.id, id])).toEqual(denied);
  }
});

test('version.info', async () => {
  const told = await hers('version.info');
  expect(told).toEqual(await rest(ada, '/version'));
  expect(told.result).toMatchObject({ version: expect.any(String) });
  expect(await hers('version.info', [1])).toEqual(fault('100', 'too many arguments'));
});
