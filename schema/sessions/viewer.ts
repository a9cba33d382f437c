import type { Database } from '../../prisma/client.ts';
import type { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/context.ts';
import { byIdOrUsername } from '../kernel/reference.ts';
import { unexpired } from '../members/valid.ts';

/** A token that was found good, and whose it is. */
export interface Credential {
  readonly viewer: Viewer;
  readonly kind: 'private' | 'personal' | 'impersonation';
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
  return (
    viewer && {
      viewer,
      kind: token.kind,
      scopes: token.scopes,
      expiresAt: earliest([token.expiresAt, viewer.validUntil]),
    }
  );
}

/** The viewer with this id, or else this username; null when there is none or it is blocked. */
export async function viewerCalled(db: Database, idOrUsername: string): Promise<Viewer | null> {
  const where = byIdOrUsername(idOrUsername);
  const user = await db.user.findFirst({ where, select: { id: true } });
  return user && viewerOf(db, user.id);
}

/**
 * The viewer that a user is, with the levels held in groups and what else they reach; null when
 * there is none or it is blocked.
 */
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
    },
  });
  if (user?.state !== 'active') return null;
  const { state: _, namespace, ...viewer } = user;
  const memberships = await db.member.findMany({
    relationLoadStrategy: 'join',
    where: { userId, namespace: { isRemoved: false }, ...unexpired() },
    select: {
      accessLevel: true,
      expiresAt: true,
      namespace: { select: { id: true, ancestorIds: true } },
    },
  });
  const groups = memberships.flatMap(({ accessLevel, namespace: group }) =>
    group ? [{ ...group, level: accessLevel as Access }] : [],
  );
  const groupIds = groups.map(({ id }) => id);
  const reachableIds = await reachableFrom(groupIds, db);
  const direct = await projectsReached(userId, reachableIds ?? { belowGroups: groupIds }, db);
  return {
    ...viewer,
    reachableIds,
    projectIds: direct.ids,
    validUntil: earliest([...memberships.map(({ expiresAt }) => expiresAt), direct.validUntil]),
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
    where: { ancestorIds: { hasSome: groupIds }, isRemoved: false },
    select: { id: true },
    take: mostReachable + 1,
  });
  return found.length > mostReachable ? null : found.map(({ id }) => id);
}

/** Which projects somebody is a direct member of, or has by a share, and when the first of these ends. */
async function projectsReached(
  userId: number,
  groups: readonly number[] | { readonly belowGroups: number[] },
  db: Database,
): Promise<{ ids: readonly number[] | null; validUntil: Date | null }> {
  const namespace = {
    isRemoved: false,
    ...('belowGroups' in groups
      ? { ancestorIds: { hasSome: groups.belowGroups } }
      : { id: { in: [...groups] } }),
  };
  const take = mostReachable + 1;
  const select = { projectId: true, expiresAt: true } as const;
  const [members, links] = await Promise.all([
    db.member.findMany({
      where: { userId, projectId: { not: null }, ...unexpired() },
      select,
      take,
    }),
    db.projectGroupLink.findMany({ where: { namespace, ...unexpired() }, select, take }),
  ]);
  const ids = new Set([...members, ...links].flatMap(({ projectId }) => projectId ?? []));
  return {
    ids: ids.size > mostReachable ? null : [...ids],
    validUntil: earliest([...members, ...links].map(({ expiresAt }) => expiresAt)),
  };
}

const earliest = (moments: readonly (Date | null)[]): Date | null =>
  moments.reduce((first, moment) => (!first || (moment && moment < first) ? moment : first), null);
