import { describe, expect, test } from 'vitest';
import type { Created } from '../support/seed.ts';
import { denied, fault, restOf, soapClientOf } from '../support/soap.ts';
import { newPublicKey } from '../support/ssh-keys.ts';
import { world } from '../support/world.ts';

const { as, db, root, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asRoot = soap.as(root);
const rest = restOf(as);
const noUser = fault('102', 'User Not Found');
const done = { result: true };

describe('user', () => {
  test('user.current', async () => {
    const response = await asAda('user.current');
    expect(response).toEqual(await rest(ada, '/user'));
    expect(response.result).toMatchObject({ id: ada.id, email: ada.email });
    expect(await asAda('user.current', ['one', 'more'])).toEqual(
      fault('100', 'too many arguments'),
    );
  });

  test('user.list', async () => {
    const response = await asAda('user.list', [{ username: 'bob' }]);
    expect(response).toEqual(await rest(ada, '/users?username=bob'));
    expect(response.result).toHaveLength(1);
    const wrong = fault('101', 'active is invalid');
    expect(await asAda('user.list', [{ active: 'maybe' }])).toEqual(wrong);
  });

  test('user.info', async () => {
    const response = await asAda('user.info', [bob.id]);
    expect(response).toEqual(await rest(ada, `/users/${bob.id}`));
    expect(response.result).toMatchObject({ username: 'bob' });
    expect(await asRoot('user.info', [String(bob.id)])).toEqual(
      await rest(root, `/users/${bob.id}`),
    );
    expect(await asAda('user.info', [0])).toEqual(noUser);
    expect(await asAda('user.info', ['bob'])).toMatchObject({ fault: { code: '102' } });
  });

  test('user.create, user.update and user.delete', async () => {
    const input = { username: 'cleo', name: 'Cléo', email: 'cleo@example.com' };
    const response = await asRoot('user.create', [
      { ...input, password: 'long enough', admin: '0' },
    ]);
    expect(response.result).toMatchObject({ ...input, state: 'active' });
    const { id } = response.result as Created;
    const restUser = async () => (await rest(root, `/users/${id}`)).result;
    expect(await restUser()).toMatchObject(response.result as object);
    const changed = await asRoot('user.update', [id, { bio: '<b>', external: 'true' }]);
    expect(changed.result).toEqual({
      ...(response.result as object),
      bio: '<b>',
      external: true,
      can_create_group: false,
      can_create_project: false,
      projects_limit: 0,
    });
    expect(await restUser()).toMatchObject(changed.result as object);
    expect(await asRoot('user.create', [input])).toEqual(
      fault('100', 'password, reset_password are missing, at least one parameter must be provided'),
    );
    expect(await asRoot('user.update', [id, { email: 'nowhere' }])).toEqual(
      fault('100', 'email is invalid'),
    );
    for (const method of ['create', 'update', 'delete']) {
      expect(await asAda(`user.${method}`, [id])).toEqual(denied);
    }
    expect(await asRoot('user.delete', [id])).toEqual(done);
    expect(await asRoot('user.delete', [0])).toEqual(noUser);
  });

  test('user.block and user.unblock', async () => {
    expect(await asRoot('user.block', [bob.id])).toEqual(done);
    expect((await asAda('user.info', [bob.id])).result).toMatchObject({ state: 'blocked' });
    expect(await asRoot('user.block', [bob.id])).toEqual({ result: false });
    expect(await asRoot('user.unblock', [bob.id])).toEqual(done);
    expect(await asRoot('user.block', [root.id])).toEqual(
      fault('2', 'Access denied. The API initiating user cannot be blocked by the API'),
    );
    expect(await asRoot('user.unblock', [0])).toEqual(noUser);
  });

  test('user.activities', async () => {
    const lastActivityOn = new Date(new Date().toISOString().slice(0, 10));
    await db.user.update({ where: { id: bob.id }, data: { lastActivityOn } });
    const response = await asRoot('user.activities', [{ from: '2017-01-01' }]);
    expect(response).toEqual(await rest(root, '/user/activities?from=2017-01-01'));
    expect(response.result).toEqual(
      expect.arrayContaining([expect.objectContaining({ username: 'bob' })]),
    );
    expect(await asRoot('user.activities', [{ from: 'once' }])).toEqual(
      fault('101', 'from is invalid'),
    );
    expect(await asAda('user.activities')).toEqual(denied);
  });
});

/** Resources with the same methods for the caller's own records and, for administrators, those of others. */
const userResources = [
  {
    resource: 'email',
    path: 'emails',
    given: (name: string) => ({ email: `${name}@example.com` }),
    missing: 'email is missing',
    recordMissing: fault('102', 'Email Not Found'),
  },
  {
    resource: 'ssh_key',
    path: 'keys',
    given: (name: string) => ({ title: name, key: newPublicKey() }),
    missing: 'title is missing, key is missing',
    recordMissing: fault('102', 'Key Not Found'),
  },
] as const;

describe.each(userResources)(
  '$resource',
  ({ resource, path, given: input, missing, recordMissing }) => {
    test('of the caller: create, list, info and delete', async () => {
      const response = await asAda(`${resource}.create`, [input('own')]);
      const { id } = response.result as Created;
      expect(response).toEqual(await rest(ada, `/user/${path}/${id}`));
      expect(await asAda(`${resource}.info`, [id])).toEqual(response);
      expect(await asAda(`${resource}.list`)).toEqual({ result: [response.result] });
      expect(await asAda(`${resource}.list`, [{ per_page: '1' }])).toEqual(
        await rest(ada, `/user/${path}?per_page=1`),
      );
      expect(await asAda(`${resource}.delete`, [id])).toEqual(done);
      for (const method of ['info', 'delete']) {
        expect(await asAda(`${resource}.${method}`, [id])).toEqual(recordMissing);
      }
      expect(await asAda(`${resource}.create`)).toEqual(fault('100', missing));
      expect(await asAda(`${resource}.list`, [{ page: 'x' }])).toEqual(
        fault('101', 'page is invalid'),
      );
    });

    test('of a user: create_for_user, list_of_user and delete_of_user', async () => {
      const response = await asRoot(`${resource}.create_for_user`, [bob.id, input('others')]);
      const { id } = response.result as Created;
      expect(response).toEqual(await rest(bob, `/user/${path}/${id}`));
      const listed = await asRoot(`${resource}.list_of_user`, [bob.id]);
      expect(listed).toEqual(await rest(root, `/users/${bob.id}/${path}`));
      expect(listed.result).toHaveLength(1);
      for (const method of ['create_for_user', 'list_of_user', 'delete_of_user']) {
        expect(await asAda(`${resource}.${method}`, [bob.id, id])).toEqual(denied);
      }
      expect(await asRoot(`${resource}.create_for_user`, [0, input('unknown')])).toEqual(noUser);
      expect(await asRoot(`${resource}.list_of_user`, [0])).toEqual(noUser);
      expect(await asRoot(`${resource}.delete_of_user`, [bob.id, id])).toEqual(done);
      expect(await asRoot(`${resource}.delete_of_user`, [bob.id, id])).toEqual(recordMissing);
    });
  },
);

test('ssh_key.info_with_user', async () => {
  const { result } = await asAda('ssh_key.create', [{ title: 'Shown', key: newPublicKey() }]);
  const { id } = result as Created;
  const response = await asRoot('ssh_key.info_with_user', [id]);
  expect(response).toEqual(await rest(root, `/keys/${id}`));
  expect(response.result).toMatchObject({ ...(result as object), user: { id: ada.id } });
  expect(await asAda('ssh_key.info_with_user', [id])).toEqual(denied);
});

test('impersonation_token.create, list, info and delete', async () => {
  const path = `/users/${bob.id}/impersonation_tokens`;
  const input = { name: 'Röbot', scopes: ['api', 'read_user'] };
  const response = await asRoot('impersonation_token.create', [bob.id, input]);
  const { id, token } = response.result as Created & { readonly token: string };
  expect(response).toEqual(await rest(root, `${path}/${id}`));
  expect(response.result).toMatchObject(input);
  expect((await rest({ ...bob, token }, '/user')).result).toMatchObject({ id: bob.id });
  expect(await asRoot('impersonation_token.info', [bob.id, id])).toEqual(response);
  expect(await asRoot('impersonation_token.list', [bob.id, { state: 'active' }])).toEqual(
    await rest(root, `${path}?state=active`),
  );
  expect(await asRoot('impersonation_token.delete', [bob.id, id])).toEqual(done);
  const inactive = await asRoot('impersonation_token.list', [bob.id, { state: 'inactive' }]);
  expect(inactive.result).toMatchObject([{ id, revoked: true }]);
  expect(await asRoot('impersonation_token.create', [bob.id])).toEqual(
    fault('100', 'name is missing'),
  );
  expect(await asRoot('impersonation_token.list', [bob.id, { state: 'odd' }])).toEqual(
    fault('101', 'state does not have a valid value'),
  );
  for (const method of ['info', 'delete']) {
    expect(await asRoot(`impersonation_token.${method}`, [bob.id, 0])).toEqual(
      fault('102', 'Impersonation Token Not Found'),
    );
    expect(await asAda(`impersonation_token.${method}`, [bob.id, id])).toEqual(denied);
  }
});

test('version.info', async () => {
  const response = await asAda('version.info');
  expect(response).toEqual(await rest(ada, '/version'));
  expect(response.result).toMatchObject({ version: expect.any(String) });
  expect(await asAda('version.info', [1])).toEqual(fault('100', 'too many arguments'));
});
