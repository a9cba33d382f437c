import type { Database } from '../../prisma/client.ts';
import type { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/context.ts';
import { unexpired } from '../members/valid.ts';

/** A token that was found good, and whose it is. */
export interface Credential {
  readonly viewer: Viewer;
  readonly scopes: readonly string[];
  /** When the token, or a membership behind the viewer's levels, runs out. */
  readonly expiresAt: Date | null;
}

/** Who holds the token with this digest; null when it is unknown, revoked or expired, or its user blocked. */
export async function credentialOf(
  db: Database,
  digest: Uint8Array<ArrayBuffer>,
): Promise<Credential | null> {
  const token = await db.accessToken.findUnique({ where: { digest } });
  if (!token || token.revokedAt) return null;
  if (token.expiresAt && token.expiresAt <= new Date()) return null;
  const viewer = await viewerOf(db, token.userId);
  return viewer && { viewer, scopes: token.scopes, expiresAt: token.expiresAt };
}

/** The viewer that a user is, with the levels held in groups; null when there is none or it is blocked. */
export async function viewerOf(db: Database, userId: number): Promise<Viewer | null> {
  const user = await db.user.findUnique({
    relationLoadStrategy: 'join',
    where: { id: userId },
    select: {
      id: true,
      username: true,
      state: true,
      isAdmin: true,
      isExternal: true,
      canCreateGroup: true,
      namespace: { select: { id: true } },
      memberships: {
        where: { namespaceId: { not: null }, ...unexpired() },
        select: { accessLevel: true, namespace: { select: { id: true, ancestorIds: true } } },
      },
    },
  });
  if (user?.state !== 'active') return null;
  const { state: _, memberships, namespace, ...viewer } = user;
  const groups = memberships.flatMap(({ accessLevel, namespace }) =>
    namespace ? [{ ...namespace, level: accessLevel as Access }] : [],
  );
  return {
    ...viewer,
    reachableIds: await reachableFrom(
      groups.map(({ id }) => id),
      db,
    ),
    namespaceId: namespace?.id ?? null,
    groupLevels: new Map(groups.map(({ id, level }) => [id, level])),
    groupPathIds: [...new Set(groups.flatMap(({ ancestorIds }) => ancestorIds))],
  };
}

/** A list of ids as a filter is twice as fast as a join, while it is short. */
const mostReachable = 1000;

async function reachableFrom(groupIds: number[], db: Database): Promise<readonly number[] | null> {
  if (groupIds.length === 0) return [];
  const found = await db.namespace.findMany({
    where: { ancestorIds: { hasSome: groupIds } },
    select: { id: true },
    take: mostReachable + 1,
  });
  return found.length > mostReachable ? null : found.map(({ id }) => id);
}
