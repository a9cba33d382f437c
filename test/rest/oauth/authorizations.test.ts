import { describe, expect, test } from 'vitest';
import { graphqlClientOf, numberOf, refusal } from '../../support/graphql.ts';
import { oauthRows } from '../../support/oauth-rows.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const { seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const query = graphqlClientOf(url);
const { token, grant } = oauthRows(db);

const anonymous = refusal('UNAUTHENTICATED', 'Unauthorized');
const create = `mutation ($name: String!, $redirectUris: [URL!]!, $scopes: [TokenScope!]!) {
  createOauthApplication(input: { name: $name, redirectUris: $redirectUris, scopes: $scopes }) {
    application: oauthApplication { id }
  }
}`;
const validInput = { name: 'Reader', redirectUris: ['https://reader.example/cb'], scopes: ['API'] };

interface CreatedApplication {
  readonly application: { readonly id: number };
}

async function createApplication(
  person: TestUser,
  traits: object = {},
): Promise<CreatedApplication> {
  const { body } = await query(person, create, { ...validInput, ...traits });
  const { application } = (
    body.data as unknown as { createOauthApplication: { application: { id: string } } }
  ).createOauthApplication;
  return { application: { id: numberOf(application.id) } };
}

describe('oauthAuthorizations', () => {
  const authorized = `query ($page: Int) { currentUser { oauthAuthorizations(page: $page, perPage: 2) {
    total nodes { applicationId name scopes firstAuthorizedAt lastAuthorizedAt }
  } } }`;
  const revoke = `mutation ($applicationId: ID) {
    revokeOauthAuthorization(input: { applicationId: $applicationId }) { applicationId }
  }`;
  const noAuthorization = refusal('NOT_FOUND', 'Authorization Not Found');

  test('lists the active authorizations of the current user with their dates', async () => {
    const dave = await seed.user('dave');
    const reader = (await createApplication(ada, { name: 'Dave reads' })).application;
    const revokedApplication = (await createApplication(ada)).application;
    const expiredApplication = (await createApplication(ada)).application;
    const first = new Date('2026-01-01T10:00:00.000Z');
    const last = new Date('2026-02-01T10:00:00.000Z');
    const past = new Date(Date.now() - 1000);
    const soon = new Date(Date.now() + 60_000);
    await token(dave.id, reader.id, {
      createdAt: first,
      expiresAt: past,
      revokedAt: past,
      scopes: ['api'],
    });
    // its refresh token is still valid
    await token(dave.id, reader.id, {
      createdAt: last,
      expiresAt: past,
      scopes: ['openid', 'read_user'],
    });
    await token(dave.id, revokedApplication.id, { revokedAt: past });
    await token(dave.id, expiredApplication.id, { expiresAt: past, refreshDigest: null });
    await token(bob.id, revokedApplication.id);
    await token(dave.id, null, { createdAt: last, expiresAt: soon });
    const authorization = (
      applicationId: number | null,
      name: string | null,
      scopes: readonly string[],
    ) => ({
      applicationId: applicationId && `OauthApplication:${applicationId}`,
      name,
      scopes: scopes.map((scope) => scope.toUpperCase()),
      firstAuthorizedAt: (name ? first : last).toISOString(),
      lastAuthorizedAt: last.toISOString(),
    });
    expect((await query(dave, authorized)).body).toEqual({
      data: {
        currentUser: {
          oauthAuthorizations: {
            total: 2,
            nodes: [
              authorization(reader.id, 'Dave reads', ['openid', 'read_user']),
              authorization(null, null, ['api']),
            ],
          },
        },
      },
    });
    expect((await query(dave, authorized, { page: 2 })).body).toMatchObject({
      data: { currentUser: { oauthAuthorizations: { nodes: [] } } },
    });
    const ofDave = '{ user(by: { username: "dave" }) { oauthAuthorizations { total } } }';
    for (const user of [null, ada, root]) {
      expect((await query(user, ofDave)).body).toEqual({
        data: { user: { oauthAuthorizations: null } },
      });
    }
  });

  test('lead to the applications that the current user registered', async () => {
    const carl = await seed.user('carl');
    const own = (await createApplication(carl, { name: 'Own' })).application;
    const second = (await createApplication(carl, { name: 'Second' })).application;
    const foreign = (await createApplication(ada, { name: 'Foreign' })).application;
    for (const { id } of [own, second, foreign]) await token(carl.id, id);
    await token(carl.id, null);
    const { body } = await query(
      carl,
      '{ currentUser { oauthAuthorizations { nodes { name application { id name } } } } }',
    );
    const authorization = (name: string, { id }: { readonly id: number }) => ({
      name,
      application: { id: `OauthApplication:${id}`, name },
    });
    const nodes = [
      authorization('Own', own),
      authorization('Second', second),
      { name: 'Foreign', application: null },
      { name: null, application: null },
    ];
    expect(body).toEqual({ data: { currentUser: { oauthAuthorizations: { nodes } } } });
  });

  test('a revocation ends the tokens and grants of the current user only', async () => {
    const { id } = (await createApplication(ada)).application;
    const bobsToken = await token(bob.id, id);
    const bobsSecondToken = await token(bob.id, id);
    const adasToken = await token(ada.id, id);
    const passwordToken = await token(bob.id, null);
    await grant(bob.id, id);
    expect(await query(null, revoke, { applicationId: id })).toEqual(anonymous);
    expect(await query(root, revoke, { applicationId: id })).toEqual(noAuthorization);
    expect((await query(bob, revoke, { applicationId: id })).body).toEqual({
      data: { revokeOauthAuthorization: { applicationId: `OauthApplication:${id}` } },
    });
    const activeTokens = await db.oauthToken.findMany({
      where: {
        id: { in: [bobsToken.id, bobsSecondToken.id, adasToken.id, passwordToken.id] },
        revokedAt: null,
      },
      orderBy: { id: 'asc' },
    });
    expect(activeTokens.map((row) => row.id)).toEqual([adasToken.id, passwordToken.id]);
    expect(await db.oauthGrant.count({ where: { applicationId: id } })).toBe(0);
    expect(await query(bob, revoke, { applicationId: id })).toEqual(noAuthorization);
    expect((await query(bob, revoke)).body).toEqual({
      data: { revokeOauthAuthorization: { applicationId: null } },
    });
    expect(await query(bob, revoke)).toEqual(noAuthorization);
  });
});
