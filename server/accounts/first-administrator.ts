import { randomBytes } from 'node:crypto';
import { recordAudit } from '../../schema/kernel/audit.ts';
import { type Context, noRequest } from '../../schema/kernel/context.ts';
import { newToken, privateTokenRow } from '../../schema/kernel/private-token.ts';
import { createUser } from '../../schema/users/create.ts';

/**
 * Creates `root` if there is no user yet; returns its password if it was generated, to be shown
 * once, and no password if the operator set it. Null when a user exists. Two concurrent first starts create one.
 */
export async function createFirstAdministrator(
  parts: Pick<Context, 'db' | 'passwords' | 'settings' | 'secrets'>,
  { rootPassword, rootToken }: { rootPassword: string | null; rootToken: string | null },
): Promise<{ readonly password: string | null } | null> {
  if ((await parts.db.user.count({ take: 1 })) > 0) return null;
  const password = rootPassword ?? randomBytes(12).toString('base64url');
  const token = privateTokenRow(parts.secrets, rootToken ?? newToken());
  try {
    const userId = await createUser(
      parts,
      {
        username: 'root',
        name: 'Administrator',
        email: 'admin@example.com',
        password,
        isPasswordGiven: true,
        // its own, until an administrator enters another one
        isEmailVerified: true,
        isAdmin: true,
      },
      token,
    );
    const details = { username: 'root' };
    await recordAudit(
      { name: 'create_user', details, userId },
      { db: parts.db, viewer: { id: 0, username: 'first start' }, request: noRequest },
    );
  } catch (error) {
    if ((await parts.db.user.count({ take: 1 })) > 0) return null;
    throw error;
  }
  return { password: rootPassword ? null : password };
}

/** Not logged: the password is shown once, on standard error. */
export const printPassword = (password: string) =>
  process.stderr.write(`\nThe first administrator is root, with the password ${password}\n\n`);
