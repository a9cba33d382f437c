import { describe, expect, test } from 'vitest';
import { deleteKeysOfEndedGrants } from '../../schema/oauth/delegated-keys.ts';
import type { Parameters } from '../support/client.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import { type Application, clientOf, oauthOf } from '../support/oauth.ts';
import type { TestUser } from '../support/seed.ts';
import { newPublicKey } from '../support/ssh-keys.ts';
import { world } from '../support/world.ts';

const it = await world();
const { seed, root, as, url, db } = it;
const graphql = graphqlClientOf(url);
const oauth = oauthOf(it);
const ada = await seed.user('ada');
const { id: projectId } = await seed.project('root/app', {});

const text = 'The request requires higher privileges than provided by the access token.';
const refused = {
  status: 403,
  body: { error: 'insufficient_scope', error_description: text },
};

/** A user with a new token, of an application or of the password grant. */
async function delegatedBy(user: TestUser, application?: Application) {
  const tokens = await oauth.ofPassword(user, application && clientOf(application));
  return { ...user, token: tokens.access_token, refresh: tokens.refresh_token };
}

async function addKey(user: TestUser) {
  const body = { title: 'laptop', key: newPublicKey() };
  const created = await as(user).post('/user/keys', body);
  expect(created.status).toBe(201);
  return (created.body as { id: number }).id;
}

const exists = async (id: number) => (await db.key.count({ where: { id } })) === 1;

const newest = () => db.auditEvent.findFirstOrThrow({ orderBy: { id: 'desc' } });

describe('keys of other users with an OAuth access token of an administrator', () => {
  test('are neither added nor deleted', async () => {
    const keyId = await addKey(ada);
    const delegated = await delegatedBy(root);
    const key = { title: 'door', key: newPublicKey() };
    expect(await as(delegated).post(`/users/${ada.id}/keys`, key)).toEqual(refused);
    expect(await as(delegated).delete(`/users/${ada.id}/keys/${keyId}`)).toEqual(refused);
    const create = `mutation { createSshKey(input: {
      userId: "User:${ada.id}", title: "door", key: "${key.key.trim()}" }) { sshKey { id } } }`;
    const remove = `mutation { deleteSshKey(input: { id: "SshKey:${keyId}" }) { id } }`;
    for (const query of [create, remove]) {
      expect((await graphql(delegated, query)).body).toMatchObject({
        errors: [{ message: text, extensions: { code: 'FORBIDDEN', reason: 'delegated-access' } }],
      });
    }
    expect(await db.key.count({ where: { userId: ada.id } })).toBe(1);
  });

  test('are listed, and added in person', async () => {
    const delegated = await delegatedBy(root);
    expect(await as(delegated).get(`/users/${ada.id}/keys`)).toMatchObject({ status: 200 });
    const key = { title: 'door', key: newPublicKey() };
    expect(await as(root).post(`/users/${ada.id}/keys`, key)).toMatchObject({ status: 201 });
  });
});

describe('a key that an application adds for its user', () => {
  const keys = '{ currentUser { sshKeys { nodes { title addedBy } } } }';

  test('names the application in GraphQL, on the page and in the audit log', async () => {
    const bob = await seed.user('bob');
    const application = await oauth.application(root, { name: 'Clone <tool>' });
    await addKey(await delegatedBy(bob, application));
    expect(await newest()).toMatchObject({
      name: 'create_ssh_key',
      authorId: bob.id,
      applicationId: application.id,
      applicationName: 'Clone <tool>',
    });
    await addKey(await delegatedBy(bob));
    expect(await newest()).toMatchObject({
      applicationId: null,
      applicationName: 'password grant',
    });
    await addKey(bob);
    expect(await newest()).toMatchObject({ applicationId: null, applicationName: null });
    expect((await graphql(bob, keys)).body).toMatchObject({
      data: {
        currentUser: {
          sshKeys: {
            nodes: [{ addedBy: 'Clone <tool>' }, { addedBy: 'password grant' }, { addedBy: null }],
          },
        },
      },
    });
    const cookie = await oauth.signIn(bob);
    const page = await fetch(`${url}/profile/keys`, { headers: { Cookie: cookie } });
    const shown = await page.text();
    expect(shown).toContain('Added by the application Clone &lt;tool&gt;');
    expect(shown).toContain('Added by the application password grant');
  });

  const revoke = (user: TestUser, id: number | null) =>
    graphql(
      user,
      `mutation { revokeOauthAuthorization(input: {
        applicationId: ${id === null ? null : `"OauthApplication:${id}"`} }) { applicationId } }`,
    );

  type Delegated = Awaited<ReturnType<typeof delegatedBy>>;
  const ways: readonly [string, (user: Delegated, application: Application) => Promise<unknown>][] =
    [
      ['its user revokes the authorization', ({ id }, application) => revokeAs(id, application.id)],
      [
        'its user revokes the authorization on the page',
        async (user, { id }) => {
          const cookie = await oauth.signIn(user);
          const address = `${url}/profile/applications`;
          const page = await fetch(address, { headers: { Cookie: cookie } });
          const [, token = ''] =
            /name="authenticity_token" value="([^"]+)"/.exec(await page.text()) ?? [];
          const body = new URLSearchParams({ authenticity_token: token, application_id: `${id}` });
          const headers = { Cookie: cookie };
          const options = { method: 'POST', redirect: 'manual', headers, body } as const;
          expect((await fetch(`${address}/revoke`, options)).status).toBe(303);
        },
      ],
      [
        'the application revokes its token',
        ({ token }, application) => oauth.post('/revoke', { ...clientOf(application), token }),
      ],
      [
        'the application revokes its refresh token',
        ({ refresh }, application) =>
          oauth.post('/revoke', { ...clientOf(application), token: refresh }),
      ],
      [
        'its refresh token is used twice',
        async ({ refresh }, application) => {
          const grant = { grant_type: 'refresh_token', refresh_token: refresh };
          await oauth.post('/token', { ...grant, ...clientOf(application) });
          await oauth.post('/token', { ...grant, ...clientOf(application) });
        },
      ],
      [
        'the application is deleted',
        (_user, { id }) =>
          graphql(
            root,
            `mutation { deleteOauthApplication(input: { id: "OauthApplication:${id}" }) { id } }`,
          ),
      ],
    ];
  const users = new Map<number, TestUser>();
  const revokeAs = async (userId: number, applicationId: number) => {
    const user = users.get(userId);
    if (user) await revoke(user, applicationId);
  };

  test.each(ways)('is deleted when %s', async (_title, end) => {
    const user = await seed.user(`u${crypto.randomUUID().slice(0, 8)}`);
    users.set(user.id, user);
    const application = await oauth.application(root);
    const delegated = await delegatedBy(user, application);
    const [added, own] = [await addKey(delegated), await addKey(user)];
    const other = await addKey(await delegatedBy(user, await oauth.application(root)));
    await end(delegated, application);
    expect(await exists(added)).toBe(false);
    expect([await exists(own), await exists(other)]).toEqual([true, true]);
  });

  test('remains when its token is refreshed or expires, and is deleted by the revocation', async () => {
    const user = await seed.user('eve');
    const application = await oauth.application(root);
    const { token, refresh, ...rest } = await delegatedBy(user, application);
    const key = await addKey({ ...rest, token });
    const grant = { grant_type: 'refresh_token', refresh_token: refresh };
    await oauth.post('/token', { ...grant, ...clientOf(application) });
    expect(await exists(key)).toBe(true);
    const expiresAt = new Date(Date.now() - 400 * 86_400_000);
    await db.oauthToken.updateMany({ where: { userId: user.id }, data: { expiresAt } });
    await deleteKeysOfEndedGrants({ db });
    expect(await exists(key)).toBe(true);
    const authorizations = '{ currentUser { oauthAuthorizations { total nodes { name } } } }';
    expect((await graphql(user, authorizations)).body).toMatchObject({
      data: { currentUser: { oauthAuthorizations: { total: 1, nodes: [{ name: 'Robot' }] } } },
    });
    await revoke(user, application.id);
    expect(await exists(key)).toBe(false);
  });

  test('of the password grant is deleted with its tokens', async () => {
    const user = await seed.user('fay');
    const first = await delegatedBy(user);
    const key = await addKey(first);
    await oauth.post('/revoke', { token: first.token });
    expect(await exists(key)).toBe(false);
    const second = await addKey(await delegatedBy(user));
    await revoke(user, null);
    expect(await exists(second)).toBe(false);
    const third = await addKey(await delegatedBy(user));
    await deleteKeysOfEndedGrants({ db });
    expect(await exists(third)).toBe(true);
    const expiresAt = new Date(Date.now() - 400 * 86_400_000);
    await db.oauthToken.updateMany({ where: { userId: user.id }, data: { expiresAt } });
    await deleteKeysOfEndedGrants({ db });
    expect(await exists(third)).toBe(false);
  });
});

describe('the audit log names the application of a delegated administrator', () => {
  test.each<[string, 'post' | 'put', string, () => Parameters]>([
    [
      'add_deploy_key',
      'post',
      `/projects/${projectId}/deploy_keys`,
      () => ({ title: 'CI', key: newPublicKey(), can_push: true }),
    ],
    ['create_hook', 'post', '/hooks', () => ({ url: 'https://hooks.example.com/' })],
    [
      'create_hook',
      'post',
      `/projects/${projectId}/hooks`,
      () => ({ url: 'https://hooks.example.com/' }),
    ],
    ['create_trigger', 'post', `/projects/${projectId}/triggers`, () => ({ description: 'x' })],
    [
      'add_member',
      'post',
      `/projects/${projectId}/members`,
      () => ({ user_id: ada.id, access_level: 30 }),
    ],
    [
      'create_variable',
      'post',
      `/projects/${projectId}/variables`,
      () => ({ key: 'A', value: 'b' }),
    ],
    [
      'update_application_settings',
      'put',
      '/application/settings',
      () => ({ signup_enabled: false }),
    ],
  ])('%s by %s %s', async (name, method, path, body) => {
    const application = await oauth.application(root);
    const delegated = await delegatedBy(root, application);
    expect((await as(delegated)[method](path, body())).status).toBeLessThan(300);
    expect(await newest()).toMatchObject({
      name,
      authorId: root.id,
      applicationId: application.id,
      applicationName: 'Robot',
    });
  });
});
