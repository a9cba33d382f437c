import { timingSafeEqual } from 'node:crypto';
import type { OauthApplication } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { oauthRefusal } from './refusal.ts';
import { refuseToken } from './wrong-token.ts';

/** The credentials that a program sends. */
export interface ClientCredentialsInput {
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
 * Authenticates an application. A confidential application must send its secret; a public one need
 * not, but a secret that it sends must be right. Throws `invalid_client` otherwise.
 */
export async function authenticateClient(
  { id, secret }: ClientCredentialsInput,
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

/** Administrators may disable the applications that users registered. */
export const isDisabled = (
  { ownerId }: Pick<OauthApplication, 'ownerId'>,
  { settings }: Pick<Context, 'settings'>,
): boolean => ownerId !== null && !settings.current.userOauthApplications;

/** Throws `unauthorized_client` if the application is disabled. */
export function requireEnabled(
  application: Pick<OauthApplication, 'ownerId'>,
  ctx: Pick<Context, 'settings'>,
): void {
  if (isDisabled(application, ctx)) throw oauthRefusal('unauthorized_client');
}
