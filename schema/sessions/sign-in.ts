import type { User } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { unauthenticated } from '../kernel/errors.ts';
import { privateTokenRow } from '../kernel/private-token.ts';
import { viewerOf } from './viewer.ts';

const twoFactorText = 'You have 2FA enabled. Please use a personal access token to access the API';

/** The user with this password, or null; both answers take the time of one slow hash. */
export async function findByPassword(
  { login, password }: { readonly login: string; readonly password: string },
  { db, passwords, settings }: Pick<Context, 'db' | 'passwords' | 'settings'>,
): Promise<User | null> {
  const key = login.toLowerCase();
  const user =
    key === ''
      ? null
      : await db.user.findFirst({ where: { OR: [{ usernameKey: key }, { emailKey: key }] } });
  const isRight = await passwords.verify(user?.passwordDigest ?? null, password);
  const isOpen = settings.current.isPasswordAuthenticationEnabled && user?.state === 'active';
  return isRight && isOpen ? user : null;
}

/**
 * Signs in by password and gives the private token (v4-behaviour 2.14). A wrong password, a blocked
 * user and an unknown one are the same refusal; people with a second factor are told to use a token.
 */
export async function signIn(
  credentials: { readonly login: string; readonly password: string },
  ctx: Context,
): Promise<{ userId: number; privateToken: string }> {
  const found = await findByPassword(credentials, ctx);
  if (!found) throw unauthenticated();
  if (found.isTwoFactorEnabled) throw unauthenticated(twoFactorText, 'two-factor-required');
  const now = new Date();
  await ctx.db.user.update({
    where: { id: found.id },
    data: { lastSignInAt: found.currentSignInAt ?? now, currentSignInAt: now },
    select: { id: true },
  });
  ctx.viewer = await viewerOf(ctx.db, found.id);
  return { userId: found.id, privateToken: await privateTokenOf(found.id, ctx) };
}

async function privateTokenOf(userId: number, { db, secrets }: Context): Promise<string> {
  const token = await db.accessToken.findFirst({
    where: { userId, kind: 'private', revokedAt: null },
    orderBy: { id: 'desc' },
  });
  if (token?.sealed) return secrets.open(token.sealed);
  const row = privateTokenRow(secrets);
  await db.accessToken.create({ data: { ...row, userId } });
  return secrets.open(row.sealed);
}
