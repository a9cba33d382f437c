import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, refuseFaults } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { endOtherSessions } from '../users/end-sessions.ts';
import { userFaults } from '../users/faults.ts';
import { requireOwnPassword } from './own-password.ts';

interface Change {
  readonly currentPassword: string;
  readonly newPassword: string;
  /** The token of the browser that stays signed in. */
  readonly session?: string | null | undefined;
}

/**
 * Changes the viewer's password and ends all their browser sessions but one. Requires the current
 * password; wrong attempts count as failed sign-ins. Throws if a directory manages the password, or
 * if the new one is too short or too long.
 */
export async function changePassword(
  { currentPassword, newPassword, session }: Change,
  ctx: Context,
): Promise<void> {
  const { db, passwords, secrets, viewers } = ctx;
  const { id } = signedIn(ctx);
  const { passwordDigest: currentDigest } = await db.user.findUniqueOrThrow({
    where: { id },
    select: { passwordDigest: true },
  });
  if (currentDigest === null) throw forbidden('The password is kept by a directory');
  refuseFaults({ newPassword: userFaults({ password: newPassword }).password ?? [] });
  await requireOwnPassword(currentPassword, ctx, 'currentPassword');
  const passwordDigest = await passwords.hash(newPassword);
  await transact(db, async (tx) => {
    // of two concurrent changes the second one fails
    const { count } = await tx.user.updateMany({
      where: { id, passwordDigest: currentDigest },
      data: { passwordDigest, isPasswordGiven: false },
    });
    if (count === 0) throw conflict('The password was changed meanwhile');
    await endOtherSessions(id, session ? secrets.digest(session) : null, tx);
  });
  viewers.forget(id);
}
