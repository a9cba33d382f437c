import type { Database, Prisma } from '../../prisma/client.ts';
import { groupsBelow, homesOf } from '../groups/reach.ts';
import type { Access } from '../kernel/access.ts';
import { byIdOrUsername } from '../kernel/reference.ts';
import { rows, unexpiredRows } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { unexpired } from '../members/valid.ts';

/** A token that was found good, and whose it is. */
export interface Credential {
  /** Null: an application that speaks for itself. */
  readonly viewer: Viewer | null;
  readonly kind: 'private' | 'personal' | 'impersonation' | 'session' | 'oauth';
  readonly scopes: readonly string[];
  /** When the token, or a membership behind the viewer's levels, runs out. */
  readonly expiresAt: Date | null;
  /** It was given to an application that one of the users registered, which the settings may close. */
  readonly isOfUsersApplication?: boolean;
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
  const groupPathIds = [...new Set(groups.flatMap(({ ancestorIds }) => ancestorIds))];
  const reachableIds = await few(db, groupsBelow(groupIds));
  const direct = await projectsReached(
    userId,
    reachableIds ? rows(reachableIds) : groupsBelow(groupIds),
    db,
  );
  const homes = direct.ids && (await few(db, homesOf(rows(direct.ids))));
  return {
    ...viewer,
    reachableIds,
    projectIds: direct.ids,
    knownGroupIds: reachableIds &&
      homes && [...new Set([...groupPathIds, ...reachableIds, ...homes])],
    validUntil: earliest([...memberships.map(({ expiresAt }) => expiresAt), direct.validUntil]),
    namespaceId: namespace?.id ?? null,
    groupLevels: new Map(groups.map(({ id, level }) => [id, level])),
    groupPathIds,
  };
}

/** Beyond this the queries that made the lists take their place. */
const mostCarried = 5000;

/** The ids that a query gives, or null when they are too many to carry along. */
async function few(db: Database, ids: Prisma.Sql): Promise<readonly number[] | null> {
  const found = await db.$queryRaw<{ id: number }[]>`
    SELECT DISTINCT id FROM (${ids}) given(id) LIMIT ${mostCarried + 1}`;
  return found.length > mostCarried ? null : found.map(({ id }) => id);
}

/** Which projects somebody is a direct member of, or has by a share, and when the first of these ends. */
async function projectsReached(
  userId: number,
  groups: Prisma.Sql,
  db: Database,
): Promise<{ ids: readonly number[] | null; validUntil: Date | null }> {
  const found = await db.$queryRaw<{ id: number; until: Date | null }[]>`
    SELECT project_id AS id, min(expires_at) AS until FROM (
      SELECT project_id, expires_at FROM members
      WHERE user_id = ${userId} AND project_id IS NOT NULL AND ${unexpiredRows}
      UNION ALL
      SELECT project_id, expires_at FROM project_group_links
      WHERE namespace_id IN (${groups}) AND ${unexpiredRows}
    ) given GROUP BY project_id LIMIT ${mostCarried + 1}`;
  return {
    ids: found.length > mostCarried ? null : found.map(({ id }) => id),
    validUntil: earliest(found.map(({ until }) => until)),
  };
}

const earliest = (moments: readonly (Date | null)[]): Date | null =>
  moments.reduce((first, moment) => (!first || (moment && moment < first) ? moment : first), null);
