import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../../prisma/client.ts';

const soon = (seconds: number) => new Date(Date.now() + seconds * 1000);

const grant = () => ({ digest: randomBytes(32), scopes: ['api'], family: randomUUID() });

/** Tokens and codes as an OAuth flow stores them; `traits` override columns. */
export const oauthRows = (db: Database) => ({
  token: (userId: number, applicationId: number | null, traits: object = {}) =>
    db.oauthToken.create({
      data: {
        ...grant(),
        userId,
        applicationId,
        refreshDigest: randomBytes(32),
        expiresAt: soon(7200),
        ...traits,
      },
    }),
  grant: (userId: number, applicationId: number, traits: object = {}) =>
    db.oauthGrant.create({
      data: {
        ...grant(),
        userId,
        applicationId,
        redirectUri: 'https://reader.example/cb',
        expiresAt: soon(600),
        ...traits,
      },
    }),
});

/** Adds application number `n` of a user, with a token for it. */
export async function addAuthorization(db: Database, number: number, userId: number) {
  const { id } = await db.oauthApplication.create({
    data: {
      ownerId: userId,
      name: `application ${number}`,
      uid: `uid-${number}`,
      secretDigest: randomBytes(32),
      redirectUris: ['https://reader.example/cb'],
      scopes: ['api'],
    },
  });
  await oauthRows(db).token(userId, id);
}
