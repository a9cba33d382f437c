import { groupsBelow } from '../groups/reach.ts';
import type { Context } from '../kernel/context.ts';
import { unexpired } from '../members/valid.ts';
import { userAvatarUrl } from '../users/picture.ts';
import { oauthRefusal } from './refusal.ts';

/** What ID tokens and userinfo say of a user (OpenID Connect Core, 5.1). */
export interface UserClaims {
  readonly userId: number;
  readonly name: string;
  readonly username: string;
  readonly profileUrl: string;
  readonly pictureUrl: string | null;
  readonly websiteUrl: string | null;
  /** Null without the scope `email`. */
  readonly email: string | null;
  /** Whether an administrator entered the address; null without it. */
  readonly isEmailVerified: boolean | null;
}

/** The claims about an active user; throws `invalid_grant` for any other. */
export async function claimsOf(
  userId: number,
  scopes: readonly string[],
  ctx: Pick<Context, 'db' | 'baseUrl' | 'settings'>,
): Promise<UserClaims> {
  const user = await ctx.db.user.findUnique({ where: { id: userId } });
  if (user?.state !== 'active') throw oauthRefusal('invalid_grant');
  const { name, username, websiteUrl } = user;
  const hasEmail = scopes.includes('email');
  return {
    userId,
    name,
    username,
    profileUrl: `${ctx.baseUrl}/${username}`,
    pictureUrl: userAvatarUrl(user, ctx),
    websiteUrl: websiteUrl || null,
    email: hasEmail ? user.email : null,
    isEmailVerified: hasEmail ? user.emailVerifiedAt !== null : null,
  };
}

/** The full paths of the groups that a user is a direct member of, at most `most`. */
export async function directGroupPaths(
  userId: number,
  most: number,
  { db }: Pick<Context, 'db'>,
): Promise<readonly string[]> {
  const memberships = await db.member.findMany({
    relationLoadStrategy: 'join',
    where: { userId, namespace: { isRemoved: false }, ...unexpired() },
    select: { namespace: { select: { fullPath: true } } },
    orderBy: { namespace: { fullPath: 'asc' } },
    take: most,
  });
  return memberships.flatMap(({ namespace }) => namespace?.fullPath ?? []);
}

/** The full paths of these groups and of all groups below them, at most `most`. */
export async function groupPaths(
  userId: number,
  most: number,
  { db }: Pick<Context, 'db'>,
): Promise<readonly string[]> {
  const memberships = await db.member.findMany({
    where: { userId, namespace: { isRemoved: false }, ...unexpired() },
    select: { namespaceId: true },
  });
  const ids = memberships.flatMap(({ namespaceId }) => namespaceId ?? []);
  const groups = await db.$queryRaw<{ path: string }[]>`
    SELECT full_path AS path FROM namespaces WHERE id IN (${groupsBelow(ids)})
    ORDER BY full_path LIMIT ${most}`;
  return groups.map(({ path }) => path);
}
