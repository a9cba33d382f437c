import type { OauthApplication } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, refuseFaults } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { type ApplicationDetails, applicationFaults } from './application-faults.ts';
import { applicationNotFound } from './application-find.ts';
import { newSecret } from './application-register.ts';

/**
 * Updates the given fields. Pending codes for removed redirect URIs become invalid, and all of an
 * application that is no longer trusted, which were issued without a consent; existing tokens keep
 * their scopes. Only a service-wide application can be trusted.
 */
export async function changeApplication(
  { id, ownerId, isTrusted }: OauthApplication,
  change: Partial<ApplicationDetails>,
  { db }: Pick<Context, 'db'>,
): Promise<void> {
  if (change.isTrusted && ownerId !== null) throw forbidden();
  refuseFaults(applicationFaults(change));
  const { redirectUris, scopes, ...columns } = change;
  const uris = redirectUris && [...new Set(redirectUris)];
  await transact(db, async (tx) => {
    await tx.oauthApplication.update({
      where: { id },
      data: {
        ...columns,
        ...(uris && { redirectUris: uris }),
        ...(scopes && { scopes: [...new Set(scopes)] }),
      },
      select: { id: true },
    });
    const pending = { applicationId: id, usedAt: null };
    if (uris) {
      await tx.oauthGrant.deleteMany({ where: { ...pending, redirectUri: { notIn: uris } } });
    }
    if (change.isTrusted === false && isTrusted) await tx.oauthGrant.deleteMany({ where: pending });
  });
}

/** Replaces the application's secret; the former one is invalid at once. */
export async function renewSecret(
  { id }: OauthApplication,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<string> {
  const secret = newSecret();
  const secretDigest = secrets.digest(secret);
  await transact(db, (tx) =>
    tx.oauthApplication.update({ where: { id }, data: { secretDigest }, select: { id: true } }),
  );
  return secret;
}

/** Deletes an application with its codes and tokens. */
export async function removeApplication(
  application: OauthApplication,
  ctx: Pick<Context, 'db' | 'request' | 'viewers'>,
): Promise<void> {
  refuseModified(application, ctx);
  const { count } = await transact(ctx.db, (tx) =>
    tx.oauthApplication.deleteMany({ where: { id: application.id } }),
  );
  if (count === 0) throw applicationNotFound();
  ctx.viewers.forgetAll();
}
