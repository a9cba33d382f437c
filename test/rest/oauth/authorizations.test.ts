import { describe, expect, test } from 'vitest';
import { graphqlClientOf, refusal } from '../../support/graphql.ts';
import { oauthRows } from '../../support/oauth-rows.ts';
import type { Person } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const { seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const ask = graphqlClientOf(url);
const { token, grant } = oauthRows(db);

const anonymous = refusal('UNAUTHENTICATED', 'Unauthorized');
const create = `mutation ($name: String!, $redirectUris: [String!]!, $scopes: [String!]!) {
  createOauthApplication(name: $name, redirectUris: $redirectUris, scopes: $scopes) {
    application { id }
  }
}`;
const given = { name: 'Reader', redirectUris: ['https://reader.example/cb'], scopes: ['api'] };

interface Made {
  readonly application: { readonly id: number };
}

async function made(person: Person, traits: object = {}): Promise<Made> {
  const { body } = await ask(person, create, { ...given, ...traits });
  return (body.data as unknown as { createOauthApplication: Made }).createOauthApplication;
}

describe('authorizedOauthApplications', () => {
  const authorized = `query ($page: Int) { authorizedOauthApplications(page: $page, perPage: 2) {
    total nodes { applicationId name scopes firstAuthorizedAt lastAuthorizedAt }
  } }`;
  const revoke = `mutation ($applicationId: Int) {
    revokeOauthAuthorization(applicationId: $applicationId)
  }`;
  const noAuthorization = refusal('NOT_FOUND', 'Authorization Not Found');

  test('tells what may still act for somebody, and since when', async () => {
    const dave = await seed.user('dave');
    const reader = (await made(ada, { name: 'Dave reads' })).application;
    const gone = (await made(ada)).application;
    const ended = (await made(ada)).application;
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
    // what is over may be exchanged for what is not
    await token(dave.id, reader.id, {
      createdAt: last,
      expiresAt: past,
      scopes: ['openid', 'read_user'],
    });
    await token(dave.id, gone.id, { revokedAt: past });
    await token(dave.id, ended.id, { expiresAt: past, refreshDigest: null });
    await token(bob.id, gone.id);
    await token(dave.id, null, { createdAt: last, expiresAt: soon });
    const told = (
      applicationId: number | null,
      name: string | null,
      scopes: readonly string[],
    ) => ({
      applicationId,
      name,
      scopes,
      firstAuthorizedAt: (name ? first : last).toISOString(),
      lastAuthorizedAt: last.toISOString(),
    });
    expect((await ask(dave, authorized)).body).toEqual({
      data: {
        authorizedOauthApplications: {
          total: 2,
          nodes: [
            told(reader.id, 'Dave reads', ['openid', 'read_user']),
            told(null, null, ['api']),
          ],
        },
      },
    });
    expect((await ask(dave, authorized, { page: 2 })).body).toMatchObject({
      data: { authorizedOauthApplications: { nodes: [] } },
    });
    expect(await ask(null, authorized)).toEqual(anonymous);
  });

  test('what is revoked is over for this person, and for no other', async () => {
    const { id } = (await made(ada)).application;
    const mine = await token(bob.id, id);
    const again = await token(bob.id, id);
    const theirs = await token(ada.id, id);
    const byPassword = await token(bob.id, null);
    await grant(bob.id, id);
    expect(await ask(null, revoke, { applicationId: id })).toEqual(anonymous);
    expect(await ask(root, revoke, { applicationId: id })).toEqual(noAuthorization);
    expect((await ask(bob, revoke, { applicationId: id })).body).toEqual({
      data: { revokeOauthAuthorization: true },
    });
    const open = await db.oauthToken.findMany({
      where: { id: { in: [mine.id, again.id, theirs.id, byPassword.id] }, revokedAt: null },
      orderBy: { id: 'asc' },
    });
    expect(open.map((row) => row.id)).toEqual([theirs.id, byPassword.id]);
    expect(await db.oauthGrant.count({ where: { applicationId: id } })).toBe(0);
    expect(await ask(bob, revoke, { applicationId: id })).toEqual(noAuthorization);
    expect((await ask(bob, revoke)).body).toEqual({ data: { revokeOauthAuthorization: true } });
    expect(await ask(bob, revoke)).toEqual(noAuthorization);
  });
});
