import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { graphqlClientOf, numberOf, refusal } from '../../support/graphql.ts';
import { oauthRows } from '../../support/oauth-rows.ts';
import type { TestUser } from '../../support/seed.ts';
import { instant } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const { seed, root, url, db, as } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const query = graphqlClientOf(url);
const { token, grant } = oauthRows(db);

const anonymous = refusal('UNAUTHENTICATED', 'Unauthorized');
const notFound = refusal('NOT_FOUND', 'Application Not Found');
const nodeNotFound = refusal('NOT_FOUND', 'Node Not Found');
const forbidden = refusal('FORBIDDEN', 'Forbidden');

const fields = 'id name uid redirectUris scopes isTrusted isConfidential isServiceWide createdAt';
const create = `mutation (
  $name: String!, $redirectUris: [URL!]!, $scopes: [TokenScope!]!
  $isConfidential: Boolean, $isServiceWide: Boolean, $isTrusted: Boolean
) {
  createOauthApplication(input: {
    name: $name, redirectUris: $redirectUris, scopes: $scopes
    isConfidential: $isConfidential, isServiceWide: $isServiceWide, isTrusted: $isTrusted
  }) { secret application: oauthApplication { ${fields} } }
}`;
const list = `query ($page: Int) {
  currentUser { oauthApplications(page: $page, perPage: 2) { total nodes { id } } }
}`;
const listServiceWide = '{ admin { oauthApplications { total } } }';
const show = `query ($id: ID!) { node(id: $id) { ... on OauthApplication { ${fields} } } }`;
const update = `mutation (
  $id: ID!, $name: String, $redirectUris: [URL!], $scopes: [TokenScope!], $isTrusted: Boolean
) {
  updateOauthApplication(input: {
    id: $id, name: $name, redirectUris: $redirectUris, scopes: $scopes, isTrusted: $isTrusted
  }) { oauthApplication { ${fields} } }
}`;
const renew = 'mutation ($id: ID!) { resetOauthApplicationSecret(input: { id: $id }) { secret } }';
const remove = 'mutation ($id: ID!) { deleteOauthApplication(input: { id: $id }) { id } }';

const hex = expect.stringMatching(/^[0-9a-f]{64}$/);
const validInput = { name: 'Reader', redirectUris: ['https://reader.example/cb'], scopes: ['API'] };

interface CreatedApplication {
  readonly secret: string;
  readonly application: { readonly id: string; readonly uid: string };
}

async function createApplication(
  person: TestUser,
  traits: object = {},
): Promise<CreatedApplication> {
  const { body } = await query(person, create, { ...validInput, ...traits });
  return (body.data as unknown as { createOauthApplication: CreatedApplication })
    .createOauthApplication;
}

describe('createOauthApplication', () => {
  test('registers an application and stores only a digest of its secret', async () => {
    const { body } = await query(ada, create, { ...validInput, scopes: ['API', 'OPENID', 'API'] });
    expect(body).toEqual({
      data: {
        createOauthApplication: {
          secret: hex,
          application: {
            id: expect.stringMatching(/^OauthApplication:\d+$/),
            ...validInput,
            uid: hex,
            scopes: ['API', 'OPENID'],
            isTrusted: false,
            isConfidential: true,
            isServiceWide: false,
            createdAt: instant,
          },
        },
      },
    });
    const { secret, application } = (
      body.data as unknown as { createOauthApplication: CreatedApplication }
    ).createOauthApplication;
    const row = await db.oauthApplication.findUniqueOrThrow({
      where: { id: numberOf(application.id) },
    });
    expect(row.ownerId).toBe(ada.id);
    expect(Buffer.from(row.secretDigest).toString('latin1')).not.toContain(secret);
    expect(Buffer.from(row.secretDigest).toString('hex')).not.toBe(secret);
  });

  test('only administrators create trusted service-wide applications', async () => {
    const serviceWide = { isServiceWide: true, isTrusted: true };
    const { application } = await createApplication(root, serviceWide);
    expect(application).toMatchObject({ ...serviceWide });
    expect(await query(ada, create, { ...validInput, isServiceWide: true })).toEqual(forbidden);
    for (const person of [ada, root]) {
      expect(await query(person, create, { ...validInput, isTrusted: true })).toEqual(forbidden);
    }
  });

  test('is refused to an anonymous user', async () => {
    expect(await query(null, create, validInput)).toEqual(anonymous);
  });

  test('rejects a scope that does not exist', async () => {
    const { body } = await query(ada, create, { ...validInput, scopes: ['API', 'SUDO'] });
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  });

  const blank = ["can't be blank"];
  const absolute = ['must be an absolute URI'];
  test.each<[object, object]>([
    [{ name: ' ' }, { name: blank }],
    [{ name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    [{ name: 'a\u202eb' }, { name: ['is invalid'] }],
    [{ scopes: [] }, { scopes: blank }],
    [{ redirectUris: [] }, { redirectUris: blank }],
    [
      { redirectUris: Array.from({ length: 21 }, (_, n) => `https://x.example/${n}`) },
      { redirectUris: ['is too long (maximum is 20 addresses)'] },
    ],
    [
      { redirectUris: [`https://x.example/${'a'.repeat(1983)}`] },
      { redirectUris: ['is too long (maximum is 2000 characters)'] },
    ],
    [{ redirectUris: ['https://x.example/#a'] }, { redirectUris: ['cannot contain a fragment'] }],
    ...[
      '',
      '/cb',
      '//x.example/cb',
      'x.example',
      'https:',
      'https:x.example',
      'https:///cb',
      'https://a:b@x.example/',
      'https://a@x.example',
      'https://x.example/ y',
      'https://x\\y',
      'https://x.example/\r\nSet-Cookie:a',
      'https://é.example/',
      'https://x.example:99999/',
    ].map((uri): [object, object] => [{ redirectUris: [uri] }, { redirectUris: absolute }]),
    ...[
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://x.example/1',
      'urn:ietf:wg:oauth:2.0:oob',
    ].map((uri): [object, object] => [
      { redirectUris: ['https://x.example/', uri] },
      { redirectUris: ['is of a forbidden scheme'] },
    ]),
  ])('rejects %o', async (traits, faults) => {
    expect(await query(ada, create, { ...validInput, ...traits })).toEqual(
      refusal('INVALID', 'Invalid input', faults),
    );
  });

  test('accepts private-use URI schemes, loopback addresses and queries', async () => {
    const redirectUris = [
      'com.example.app:/cb',
      'myapp://callback',
      'http://127.0.0.1:8080/cb',
      'http://[::1]/cb',
      'http://tool.internal/cb?a=b',
      `https://x.example/${'a'.repeat(1982)}`,
    ];
    const { application } = await createApplication(ada, { redirectUris });
    expect(application).toMatchObject({ redirectUris });
  });

  test('a user has at most 100 applications, also when requests run concurrently', async () => {
    const eve = await seed.user('eve');
    await db.oauthApplication.createMany({
      data: Array.from({ length: 98 }, (_, n) => ({
        ...validInput,
        ownerId: eve.id,
        uid: `${n}`.padStart(64, 'e'),
        secretDigest: randomBytes(32),
      })),
    });
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => query(eve, create, validInput)),
    );
    expect(responses.filter(({ body }) => body.data?.createOauthApplication !== null)).toHaveLength(
      2,
    );
    expect(await query(eve, create, validInput)).toEqual(
      refusal('INVALID', 'You have 100 applications, which is as many as there may be'),
    );
  });
});

describe('oauthApplications', () => {
  test('lists the caller’s applications in pages; administrators also list service-wide ones', async () => {
    const carol = await seed.user('carol');
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three'])
      ids.push((await createApplication(carol, { name })).application.id);
    const nodes = (slice: readonly string[]) => slice.map((id) => ({ id }));
    const pageOf = (expectedIds: readonly string[]) => ({
      data: { currentUser: { oauthApplications: { total: 3, nodes: nodes(expectedIds) } } },
    });
    expect((await query(carol, list)).body).toEqual(pageOf(ids.slice(0, 2)));
    expect((await query(carol, list, { page: 2 })).body).toEqual(pageOf(ids.slice(2)));
    const wide = await db.oauthApplication.count({ where: { ownerId: null } });
    expect((await query(root, listServiceWide)).body).toEqual({
      data: { admin: { oauthApplications: { total: wide } } },
    });
    const ofCarol = '{ user(by: { username: "carol" }) { oauthApplications { total } } }';
    for (const user of [null, ada]) {
      expect((await query(user, listServiceWide)).body).toEqual({ data: { admin: null } });
      expect((await query(user, ofCarol)).body).toEqual({
        data: { user: { oauthApplications: null } },
      });
    }
  });
});

describe('an application', () => {
  const otherUsers = [bob, root];

  test('is visible only to the user who registered it', async () => {
    const { application } = await createApplication(ada);
    const { id } = application;
    expect((await query(ada, show, { id })).body).toEqual({ data: { node: application } });
    for (const person of [...otherUsers, null]) {
      expect(await query(person, show, { id })).toEqual(nodeNotFound);
    }
    for (const operation of [update, renew, remove]) {
      for (const person of otherUsers)
        expect(await query(person, operation, { id })).toEqual(notFound);
      expect(await query(null, operation, { id })).toEqual(anonymous);
      expect(await query(ada, operation, { id: 2 ** 31 - 1 })).toEqual(notFound);
    }
  });

  test('is visible to administrators if it is service-wide', async () => {
    const { id } = (await createApplication(root, { isServiceWide: true })).application;
    expect((await query(root, update, { id, isTrusted: true })).body).toMatchObject({
      data: {
        updateOauthApplication: { oauthApplication: { isTrusted: true, isServiceWide: true } },
      },
    });
    expect(await query(ada, show, { id })).toEqual(nodeNotFound);
  });

  test('is updated in the given fields; a removed redirect URI deletes its grants', async () => {
    const { application } = await createApplication(ada);
    const { id } = application;
    const number = numberOf(id);
    const otherGrant = await grant(bob.id, number);
    await grant(bob.id, number, { redirectUri: 'https://reader.example/old' });
    expect((await query(ada, update, { id, name: 'Writer' })).body).toEqual({
      data: { updateOauthApplication: { oauthApplication: { ...application, name: 'Writer' } } },
    });
    expect(await db.oauthGrant.count({ where: { applicationId: number } })).toBe(2);
    await query(ada, update, { id, redirectUris: validInput.redirectUris });
    expect(await db.oauthGrant.findMany({ where: { applicationId: number } })).toEqual([
      otherGrant,
    ]);
    expect(await query(ada, update, { id, redirectUris: ['x'] })).toEqual(
      refusal('INVALID', 'Invalid input', { redirectUris: ['must be an absolute URI'] }),
    );
    expect(await query(ada, update, { id, isTrusted: true })).toEqual(forbidden);
  });

  test('gets a new secret', async () => {
    const { secret, application } = await createApplication(ada);
    const { id } = application;
    const where = { id: numberOf(id) };
    const before = await db.oauthApplication.findUniqueOrThrow({ where });
    const { body } = await query(ada, renew, { id });
    expect(body).toEqual({ data: { resetOauthApplicationSecret: { secret: hex } } });
    expect(body).not.toEqual({ data: { resetOauthApplicationSecret: { secret } } });
    const after = await db.oauthApplication.findUniqueOrThrow({ where });
    expect(after.secretDigest).not.toEqual(before.secretDigest);
  });

  test('is deleted with its codes and tokens', async () => {
    const { id } = (await createApplication(ada)).application;
    const number = numberOf(id);
    await token(bob.id, number);
    await grant(bob.id, number);
    expect((await query(ada, remove, { id })).body).toEqual({
      data: { deleteOauthApplication: { id } },
    });
    const where = { applicationId: number };
    expect([await db.oauthToken.count({ where }), await db.oauthGrant.count({ where })]).toEqual([
      0, 0,
    ]);
    expect(await query(ada, remove, { id })).toEqual(notFound);
  });
});

describe('the setting user_oauth_applications', () => {
  test('false: only administrators register and update; owners can still delete', async () => {
    const { id } = (await createApplication(ada)).application;
    await as(root).put('/application/settings', { user_oauth_applications: false });
    try {
      expect(await query(ada, create, validInput)).toEqual(forbidden);
      expect(await query(ada, update, { id, name: 'x' })).toEqual(forbidden);
      expect(await query(ada, renew, { id })).toEqual(forbidden);
      expect((await createApplication(root)).secret).toEqual(hex);
      const permissionQuery = '{ currentUser { account { canRegisterOauthApplications } } }';
      const permission = (is: boolean) => ({
        data: { currentUser: { account: { canRegisterOauthApplications: is } } },
      });
      expect((await query(ada, permissionQuery)).body).toEqual(permission(false));
      expect((await query(root, permissionQuery)).body).toEqual(permission(true));
      expect((await query(ada, remove, { id })).body).toEqual({
        data: { deleteOauthApplication: { id } },
      });
    } finally {
      await as(root).put('/application/settings', { user_oauth_applications: true });
    }
  });
});
