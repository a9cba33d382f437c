import { randomBytes } from 'node:crypto';
import type { Context } from '../../schema/kernel/context.ts';
import { newToken, privateTokenRow } from '../../schema/kernel/private-token.ts';
import { createUser } from '../../schema/users/create.ts';

export interface FirstAdministrator {
  /** Null when the operator chose it. */
  readonly password: string | null;
}

/**
 * Makes `root` where there is no user yet, and gives the password if it was made up here, to be
 * shown once; null when somebody exists already. Two first starts at once make one.
 */
export async function createFirstAdministrator(
  parts: Pick<Context, 'db' | 'passwords' | 'settings' | 'secrets'>,
  { rootPassword, rootToken }: { rootPassword: string | null; rootToken: string | null },
): Promise<FirstAdministrator | null> {
  if ((await parts.db.user.count({ take: 1 })) > 0) return null;
  const password = rootPassword ?? randomBytes(12).toString('base64url');
  const token = privateTokenRow(parts.secrets, rootToken ?? newToken());
  try {
    await createUser(
      parts,
      {
        username: 'root',
        name: 'Administrator',
        email: 'admin@example.com',
        password,
        isAdmin: true,
      },
      token,
    );
  } catch (error) {
    if ((await parts.db.user.count({ take: 1 })) > 0) return null;
    throw error;
  }
  return { password: rootPassword ? null : password };
}
