import type { OauthApplication } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, refuseFaults } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { type ApplicationDetails, applicationFaults } from './application-faults.ts';
import { noApplication } from './application-find.ts';
import { newSecret } from './application-register.ts';

/**
 * Changes what is given. Codes on their way to an address that is no more are worth nothing; tokens
 * that people gave keep their scopes. Only an application of the service asks for no consent.
 */
export async function changeApplication(
  { id, ownerId }: OauthApplication,
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
    if (uris) {
      const gone = { applicationId: id, usedAt: null, redirectUri: { notIn: uris } };
      await tx.oauthGrant.deleteMany({ where: gone });
    }
  });
}

/** Gives the application another secret; the one before is worth nothing from now on. */
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

/** Removes an application, and with it what people allowed it: its codes and its tokens. */
export async function removeApplication(
  application: OauthApplication,
  ctx: Pick<Context, 'db' | 'request' | 'viewers'>,
): Promise<void> {
  refuseModified(application, ctx);
  const { count } = await transact(ctx.db, (tx) =>
    tx.oauthApplication.deleteMany({ where: { id: application.id } }),
  );
  if (count === 0) throw noApplication();
  ctx.viewers.forgetAll();
}
