import type { Database } from '../../prisma/client.ts';
import { type Credential, viewerOf } from '../sessions/viewer.ts';

const tokenShape = /^[0-9a-f]{64}$/;

/** Whether a text may be an access token: what is none need not be looked for. */
export const isAccessTokenShaped = (text: string): boolean => tokenShape.test(text);

/** Who holds the access token with this digest; null when it is not good, or its user blocked. */
export async function credentialOfAccessToken(
  db: Database,
  digest: Uint8Array<ArrayBuffer>,
): Promise<Credential | null> {
  const token = await db.oauthToken.findUnique({
    relationLoadStrategy: 'join',
    where: { digest },
    select: {
      userId: true,
      scopes: true,
      expiresAt: true,
      revokedAt: true,
      application: { select: { ownerId: true } },
    },
  });
  if (!token || token.revokedAt || token.expiresAt <= new Date()) return null;
  const { userId, scopes, expiresAt, application } = token;
  const viewer = userId === null ? null : await viewerOf(db, userId);
  if (userId !== null && !viewer) return null;
  const until = viewer?.validUntil;
  return {
    viewer,
    kind: 'oauth',
    scopes,
    expiresAt: until && until < expiresAt ? until : expiresAt,
    isOfUsersApplication: typeof application?.ownerId === 'number',
  };
}

/** Why the access token with this digest is good no more; null for what was none (v4-behaviour 1.3). */
export async function lapseOf(
  db: Database,
  digest: Uint8Array<ArrayBuffer>,
): Promise<'expired' | 'revoked' | null> {
  const select = { expiresAt: true, revokedAt: true };
  const token = await db.oauthToken.findUnique({ where: { digest }, select });
  if (!token) return null;
  if (token.expiresAt <= new Date()) return 'expired';
  return token.revokedAt ? 'revoked' : null;
}
