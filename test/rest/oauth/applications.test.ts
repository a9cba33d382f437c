import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { graphqlClientOf, refusal } from '../../support/graphql.ts';
import { oauthRows } from '../../support/oauth-rows.ts';
import type { Person } from '../../support/seed.ts';
import { instant } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const { seed, root, url, db, as } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const ask = graphqlClientOf(url);
const { token, grant } = oauthRows(db);

const anonymous = refusal('UNAUTHENTICATED', 'Unauthorized');
const missing = refusal('NOT_FOUND', 'Application Not Found');
const forbidden = refusal('FORBIDDEN', 'Forbidden');

const fields = 'id name uid redirectUris scopes isTrusted isConfidential isServiceWide createdAt';
const create = `mutation (
  $name: String!, $redirectUris: [String!]!, $scopes: [String!]!
  $isConfidential: Boolean, $isServiceWide: Boolean, $isTrusted: Boolean
) {
  createOauthApplication(
    name: $name, redirectUris: $redirectUris, scopes: $scopes
    isConfidential: $isConfidential, isServiceWide: $isServiceWide, isTrusted: $isTrusted
  ) { secret application { ${fields} } }
}`;
const list = `query ($isServiceWide: Boolean, $page: Int) {
  oauthApplications(isServiceWide: $isServiceWide, page: $page, perPage: 2) { total nodes { id } }
}`;
const show = `query ($id: Int!) { oauthApplication(id: $id) { ${fields} } }`;
const update = `mutation (
  $id: Int!, $name: String, $redirectUris: [String!], $scopes: [String!], $isTrusted: Boolean
) {
  updateOauthApplication(
    id: $id, name: $name, redirectUris: $redirectUris, scopes: $scopes, isTrusted: $isTrusted
  ) { ${fields} }
}`;
const renew = 'mutation ($id: Int!) { renewOauthApplicationSecret(id: $id) { secret } }';
const remove = 'mutation ($id: Int!) { deleteOauthApplication(id: $id) }';

const hex = expect.stringMatching(/^[0-9a-f]{64}$/);
const given = { name: 'Reader', redirectUris: ['https://reader.example/cb'], scopes: ['api'] };

interface Made {
  readonly secret: string;
  readonly application: { readonly id: number; readonly uid: string };
}

async function made(person: Person, traits: object = {}): Promise<Made> {
  const { body } = await ask(person, create, { ...given, ...traits });
  return (body.data as unknown as { createOauthApplication: Made }).createOauthApplication;
}

describe('createOauthApplication', () => {
  test('somebody registers one, whose secret is shown once and kept as a digest only', async () => {
    const { body } = await ask(ada, create, { ...given, scopes: ['api', 'openid', 'api'] });
    expect(body).toEqual({
      data: {
        createOauthApplication: {
          secret: hex,
          application: {
            id: expect.any(Number),
            ...given,
            uid: hex,
            scopes: ['api', 'openid'],
            isTrusted: false,
            isConfidential: true,
            isServiceWide: false,
            createdAt: instant,
          },
        },
      },
    });
    const { secret, application } = (body.data as unknown as { createOauthApplication: Made })
      .createOauthApplication;
    const row = await db.oauthApplication.findUniqueOrThrow({ where: { id: application.id } });
    expect(row.ownerId).toBe(ada.id);
    expect(Buffer.from(row.secretDigest).toString('latin1')).not.toContain(secret);
    expect(Buffer.from(row.secretDigest).toString('hex')).not.toBe(secret);
  });

  test('administrators make trusted ones of the whole service, others do not', async () => {
    const wide = { isServiceWide: true, isTrusted: true };
    const { application } = await made(root, wide);
    expect(application).toMatchObject({ ...wide });
    expect(await ask(ada, create, { ...given, isServiceWide: true })).toEqual(forbidden);
    for (const person of [ada, root]) {
      expect(await ask(person, create, { ...given, isTrusted: true })).toEqual(forbidden);
    }
  });

  test('nobody has none', async () => {
    expect(await ask(null, create, given)).toEqual(anonymous);
  });

  const blank = ["can't be blank"];
  const absolute = ['must be an absolute URI'];
  test.each<[object, object]>([
    [{ name: ' ' }, { name: blank }],
    [{ name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    [{ name: 'a\u202eb' }, { name: ['is invalid'] }],
    [{ scopes: [] }, { scopes: blank }],
    [{ scopes: ['api', 'sudo'] }, { scopes: ['can only contain available scopes'] }],
    [{ redirectUris: [] }, { redirect_uris: blank }],
    [
      { redirectUris: Array.from({ length: 21 }, (_, n) => `https://x.example/${n}`) },
      { redirect_uris: ['is too long (maximum is 20 addresses)'] },
    ],
    [
      { redirectUris: [`https://x.example/${'a'.repeat(1983)}`] },
      { redirect_uris: ['is too long (maximum is 2000 characters)'] },
    ],
    [{ redirectUris: ['https://x.example/#a'] }, { redirect_uris: ['cannot contain a fragment'] }],
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
    ].map((uri): [object, object] => [{ redirectUris: [uri] }, { redirect_uris: absolute }]),
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
      { redirect_uris: ['is of a forbidden scheme'] },
    ]),
  ])('%o is refused', async (traits, faults) => {
    expect(await ask(ada, create, { ...given, ...traits })).toEqual(
      refusal('INVALID', 'Invalid input', faults),
    );
  });

  test('schemes of programs on a device, loopback addresses and queries are in order', async () => {
    const redirectUris = [
      'com.example.app:/cb',
      'myapp://callback',
      'http://127.0.0.1:8080/cb',
      'http://[::1]/cb',
      'http://tool.internal/cb?a=b',
      `https://x.example/${'a'.repeat(1982)}`,
    ];
    const { application } = await made(ada, { redirectUris });
    expect(application).toMatchObject({ redirectUris });
  });

  test('a hundred are enough for anybody, also side by side', async () => {
    const eve = await seed.user('eve');
    await db.oauthApplication.createMany({
      data: Array.from({ length: 98 }, (_, n) => ({
        ...given,
        ownerId: eve.id,
        uid: `${n}`.padStart(64, 'e'),
        secretDigest: randomBytes(32),
      })),
    });
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(eve, create, given)));
    expect(answers.filter(({ body }) => body.data !== null)).toHaveLength(2);
    expect(await ask(eve, create, given)).toEqual(
      refusal('INVALID', 'You have 100 applications, which is as many as there may be'),
    );
  });
});

describe('oauthApplications', () => {
  test('somebody lists their own, page by page; administrators also those of the service', async () => {
    const carol = await seed.user('carol');
    const ids: number[] = [];
    for (const name of ['one', 'two', 'three'])
      ids.push((await made(carol, { name })).application.id);
    const nodes = (some: readonly number[]) => some.map((id) => ({ id }));
    const page = (of: readonly number[]) => ({
      data: { oauthApplications: { total: 3, nodes: nodes(of) } },
    });
    expect((await ask(carol, list)).body).toEqual(page(ids.slice(0, 2)));
    expect((await ask(carol, list, { page: 2 })).body).toEqual(page(ids.slice(2)));
    const wide = await db.oauthApplication.count({ where: { ownerId: null } });
    expect((await ask(root, list, { isServiceWide: true })).body).toMatchObject({
      data: { oauthApplications: { total: wide } },
    });
    expect(await ask(carol, list, { isServiceWide: true })).toEqual(forbidden);
    expect(await ask(null, list)).toEqual(anonymous);
  });
});

describe('one application', () => {
  const others = [bob, root];

  test('is there for whoever registered it and for nobody else', async () => {
    const { application } = await made(ada);
    const { id } = application;
    expect((await ask(ada, show, { id })).body).toEqual({
      data: { oauthApplication: application },
    });
    for (const operation of [show, update, renew, remove]) {
      for (const person of others) expect(await ask(person, operation, { id })).toEqual(missing);
      expect(await ask(null, operation, { id })).toEqual(anonymous);
      expect(await ask(ada, operation, { id: 2 ** 31 - 1 })).toEqual(missing);
    }
  });

  test('of the service is there for administrators', async () => {
    const { id } = (await made(root, { isServiceWide: true })).application;
    expect((await ask(root, update, { id, isTrusted: true })).body).toMatchObject({
      data: { updateOauthApplication: { isTrusted: true, isServiceWide: true } },
    });
    expect(await ask(ada, show, { id })).toEqual(missing);
  });

  test('is changed in what is given', async () => {
    const { application } = await made(ada);
    const { id } = application;
    const kept = await grant(bob.id, id);
    await grant(bob.id, id, { redirectUri: 'https://reader.example/old' });
    expect((await ask(ada, update, { id, name: 'Writer' })).body).toEqual({
      data: { updateOauthApplication: { ...application, name: 'Writer' } },
    });
    expect(await db.oauthGrant.count({ where: { applicationId: id } })).toBe(2);
    await ask(ada, update, { id, redirectUris: given.redirectUris });
    expect(await db.oauthGrant.findMany({ where: { applicationId: id } })).toEqual([kept]);
    expect(await ask(ada, update, { id, redirectUris: ['x'] })).toEqual(
      refusal('INVALID', 'Invalid input', { redirect_uris: ['must be an absolute URI'] }),
    );
    expect(await ask(ada, update, { id, isTrusted: true })).toEqual(forbidden);
  });

  test('gets another secret', async () => {
    const { secret, application } = await made(ada);
    const { id } = application;
    const before = await db.oauthApplication.findUniqueOrThrow({ where: { id } });
    const { body } = await ask(ada, renew, { id });
    expect(body).toEqual({ data: { renewOauthApplicationSecret: { secret: hex } } });
    expect(body).not.toEqual({ data: { renewOauthApplicationSecret: { secret } } });
    const after = await db.oauthApplication.findUniqueOrThrow({ where: { id } });
    expect(after.secretDigest).not.toEqual(before.secretDigest);
  });

  test('takes its codes and tokens along when it goes', async () => {
    const { id } = (await made(ada)).application;
    await token(bob.id, id);
    await grant(bob.id, id);
    expect((await ask(ada, remove, { id })).body).toEqual({
      data: { deleteOauthApplication: true },
    });
    const where = { applicationId: id };
    expect([await db.oauthToken.count({ where }), await db.oauthGrant.count({ where })]).toEqual([
      0, 0,
    ]);
    expect(await ask(ada, remove, { id })).toEqual(missing);
  });
});

describe('the setting user_oauth_applications', () => {
  test('off, only administrators register and change; what is there may be removed', async () => {
    const { id } = (await made(ada)).application;
    await as(root).put('/application/settings', { user_oauth_applications: false });
    try {
      expect(await ask(ada, create, given)).toEqual(forbidden);
      expect(await ask(ada, update, { id, name: 'x' })).toEqual(forbidden);
      expect(await ask(ada, renew, { id })).toEqual(forbidden);
      expect((await made(root)).secret).toEqual(hex);
      const may = '{ viewer { account { canRegisterOauthApplications } } }';
      const told = (is: boolean) => ({
        data: { viewer: { account: { canRegisterOauthApplications: is } } },
      });
      expect((await ask(ada, may)).body).toEqual(told(false));
      expect((await ask(root, may)).body).toEqual(told(true));
      expect((await ask(ada, remove, { id })).body).toEqual({
        data: { deleteOauthApplication: true },
      });
    } finally {
      await as(root).put('/application/settings', { user_oauth_applications: true });
    }
  });
});
