import type { Database } from '../../prisma/client.ts';
import { type Credential, viewerOf } from '../sessions/viewer.ts';

/** What names the tokens that belong to no application. */
export const passwordGrant = 'password grant';

const tokenShape = /^[0-9a-f]{64}$/;

/** Whether a text has the form of an access token, so that others need no lookup. */
export const isAccessTokenShaped = (text: string): boolean => tokenShape.test(text);

/**
 * The credential of the access token with this digest; null if it is not valid or its user is
 * blocked.
 */
export async function credentialOfAccessToken(
  db: Database,
  digest: Uint8Array<ArrayBuffer>,
): Promise<Credential | null> {
  const token = await db.oauthToken.findUnique({
    relationLoadStrategy: 'join',
    where: { digest },
    select: {
      id: true,
      userId: true,
      applicationId: true,
      scopes: true,
      family: true,
      expiresAt: true,
      revokedAt: true,
      application: { select: { ownerId: true, name: true } },
    },
  });
  if (!token || token.revokedAt || token.expiresAt <= new Date()) return null;
  const { id, userId, applicationId, scopes, family, expiresAt, application } = token;
  const viewer = userId === null ? null : await viewerOf(db, userId);
  if (userId !== null && !viewer) return null;
  const until = viewer?.validUntil;
  return {
    viewer,
    kind: 'oauth',
    scopes,
    expiresAt: until && until < expiresAt ? until : expiresAt,
    isOfUsersApplication: typeof application?.ownerId === 'number',
    source: { oauthTokenId: id },
    delegation: { applicationId, applicationName: application?.name ?? passwordGrant, family },
  };
}

/**
 * Why the access token with this digest is no longer valid; null if it never was (v4-behaviour
 * 1.3).
 */
export async function whyTokenEnded(
  db: Database,
  digest: Uint8Array<ArrayBuffer>,
): Promise<'expired' | 'revoked' | null> {
  const select = { expiresAt: true, revokedAt: true };
  const token = await db.oauthToken.findUnique({ where: { digest }, select });
  if (!token) return null;
  if (token.expiresAt <= new Date()) return 'expired';
  return token.revokedAt ? 'revoked' : null;
}
