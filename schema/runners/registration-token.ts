import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { newToken } from '../kernel/private-token.ts';
import { signedIn } from '../kernel/signed-in.ts';
import type { Secrets } from '../ports/secrets.ts';
import { findRunnersProject } from './find.ts';
import { canManageSharedRunners } from './policy.ts';

const columns = (token: string, secrets: Secrets) => ({
  runnersTokenDigest: secrets.digest(token),
  runnersTokenSealed: secrets.seal(token),
});

/** The registration token for shared runners; created if there is none. Concurrent first starts create one. */
export async function ensureRunnersToken({
  db,
  secrets,
}: Pick<Context, 'db' | 'secrets'>): Promise<string> {
  await db.applicationSettings.updateMany({
    where: { id: 1, runnersTokenDigest: null },
    data: columns(newToken(), secrets),
  });
  const { runnersTokenSealed } = await db.applicationSettings.findUniqueOrThrow({
    where: { id: 1 },
    select: { runnersTokenSealed: true },
  });
  return secrets.open(runnersTokenSealed ?? '');
}

/**
 * Replaces the registration token of a project (for masters) or of the instance (for
 * administrators), and returns it. The old one becomes invalid; registered runners stay.
 */
export async function resetRunnersToken(
  ref: string | null | undefined,
  ctx: Context,
): Promise<string> {
  const { db, secrets } = ctx;
  const token = newToken();
  const data = columns(token, secrets);
  if (ref === null || ref === undefined) {
    if (!canManageSharedRunners(signedIn(ctx))) throw forbidden();
    await db.applicationSettings.update({ where: { id: 1 }, data, select: { id: true } });
    return token;
  }
  const { id } = await findRunnersProject(ref, ctx);
  const { count } = await db.project.updateMany({ where: { id, isRemoved: false }, data });
  if (count === 0) throw notFound('Project');
  return token;
}
