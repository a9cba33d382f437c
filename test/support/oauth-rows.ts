import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../../prisma/client.ts';

const soon = (seconds: number) => new Date(Date.now() + seconds * 1000);

const lent = () => ({ digest: randomBytes(32), scopes: ['api'], family: randomUUID() });

/** Tokens and codes as a flow leaves them behind; `traits` are columns in place of the usual. */
export const oauthRows = (db: Database) => ({
  token: (userId: number, applicationId: number | null, traits: object = {}) =>
    db.oauthToken.create({
      data: {
        ...lent(),
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
        ...lent(),
        userId,
        applicationId,
        redirectUri: 'https://reader.example/cb',
        expiresAt: soon(600),
        ...traits,
      },
    }),
});
