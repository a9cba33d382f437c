import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, refuseFaults, rejected, unauthenticated } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { type ApplicationDetails, applicationFaults } from './application-faults.ts';
import { requireRegistrationAllowed } from './application-find.ts';
import { canManageServiceApplications } from './application-policy.ts';

/** An application with its secret, which is shown only once and stored as a digest. */
export interface RegisteredApplication {
  readonly id: number;
  readonly secret: string;
}

const mostApplications = 100;

/** 64 hex characters, for Application IDs and client secrets. */
export const newSecret = (): string => randomBytes(32).toString('hex');

/**
 * Registers an application of the viewer, or a service-wide one, which needs an administrator and
 * may be trusted. Throws if the name, URIs or scopes are invalid, or if the user has a hundred
 * applications.
 */
export async function registerApplication(
  { isServiceWide, ...given }: ApplicationDetails & { readonly isServiceWide: boolean },
  ctx: Pick<Context, 'db' | 'request' | 'secrets' | 'settings' | 'viewer'>,
): Promise<RegisteredApplication> {
  const viewer = signedIn(ctx);
  requireRegistrationAllowed(ctx);
  if (isServiceWide && !canManageServiceApplications(viewer)) throw forbidden();
  if (given.isTrusted && !isServiceWide) throw forbidden();
  refuseFaults(applicationFaults(given));
  const secret = newSecret();
  const row = {
    ...given,
    ownerId: isServiceWide ? null : viewer.id,
    redirectUris: [...new Set(given.redirectUris)],
    scopes: [...new Set(given.scopes)],
    uid: newSecret(),
    secretDigest: ctx.secrets.digest(secret),
  };
  const { id } = await transact(ctx.db, async (tx) => {
    if (row.ownerId !== null) await refuseTooMany(tx, row.ownerId);
    return tx.oauthApplication.create({ data: row, select: { id: true } });
  });
  return { id, secret };
}

/** Locks the owner, so that concurrent registrations are counted. */
async function refuseTooMany(tx: Transaction, ownerId: number): Promise<void> {
  const [owner] = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM users WHERE id = ${ownerId} FOR NO KEY UPDATE`;
  // the user was removed in between
  if (!owner) throw unauthenticated();
  const count = await tx.oauthApplication.count({ where: { ownerId } });
  if (count >= mostApplications) {
    throw rejected(`You have ${mostApplications} applications, which is as many as there may be`);
  }
}
