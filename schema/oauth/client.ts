import { timingSafeEqual } from 'node:crypto';
import type { OauthApplication } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { refuseToken } from '../kernel/wrong-token.ts';
import { oauthRefusal } from './refusal.ts';

/** What a program says of itself. */
export interface ShownClient {
  /** The Application ID. */
  readonly id: string;
  readonly secret?: string | null | undefined;
}

const idShape = /^[0-9a-f]{64}$/;

/** The application with this Application ID, or null. */
export const applicationOf = async (
  uid: string,
  { db }: Pick<Context, 'db'>,
): Promise<OauthApplication | null> =>
  idShape.test(uid) ? db.oauthApplication.findUnique({ where: { uid } }) : null;

/**
 * The application that proves to be itself. One that can keep a secret must show it; one that cannot
 * need not, but what it shows must be right. Anything else is refused with `invalid_client`.
 */
export async function authenticateClient(
  { id, secret }: ShownClient,
  ctx: Pick<Context, 'db' | 'secrets' | 'request' | 'signInLimits'>,
): Promise<OauthApplication> {
  const application = await applicationOf(id, ctx);
  if (!application) return refuseToken(oauthRefusal('invalid_client'), ctx);
  const isProven = secret
    ? timingSafeEqual(ctx.secrets.digest(secret), application.secretDigest)
    : !application.isConfidential;
  if (!isProven) return refuseToken(oauthRefusal('invalid_client'), ctx);
  return application;
}

/** An administrator may close the applications that users registered for themselves. */
export const isClosed = (
  { ownerId }: Pick<OauthApplication, 'ownerId'>,
  { settings }: Pick<Context, 'settings'>,
): boolean => ownerId !== null && !settings.current.userOauthApplications;

/** Refuses with `unauthorized_client` what is closed. */
export function refuseClosed(
  application: Pick<OauthApplication, 'ownerId'>,
  ctx: Pick<Context, 'settings'>,
): void {
  if (isClosed(application, ctx)) throw oauthRefusal('unauthorized_client');
}
