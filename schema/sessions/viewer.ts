import type { Database, Prisma } from '../../prisma/client.ts';
import { groupsBelow, groupsOfProjects } from '../groups/reach.ts';
import type { Access } from '../kernel/access.ts';
import type { Delegation } from '../kernel/context.ts';
import { byIdOrUsername } from '../kernel/reference.ts';
import { rows, unexpiredRows } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { unexpired } from '../members/valid.ts';
import type { CredentialSource } from './credential-source.ts';

/** A valid token and its holder. */
export interface Credential {
  /** Null: an application's client-credentials token. */
  readonly viewer: Viewer | null;
  readonly kind: 'private' | 'personal' | 'impersonation' | 'session' | 'oauth' | 'job';
  readonly scopes: readonly string[];
  /** When the token, or a membership behind the viewer's levels, expires. */
  readonly expiresAt: Date | null;
  /** It belongs to an application that a user registered, which the settings may disable. */
  readonly isOfUsersApplication?: boolean;
  /** The stored token; absent for sessions and jobs. */
  readonly source?: CredentialSource;
  /** The application that acts for the viewer by an OAuth access token. */
  readonly delegation?: Delegation;
}

/**
 * The credential of the token with this digest; null if it is unknown, revoked or expired, or its
 * user is blocked.
 */
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
      source: { accessTokenId: token.id },
    }
  );
}

/** The viewer with this id or username; null if there is none or they are blocked. */
export async function viewerByIdOrUsername(
  db: Database,
  idOrUsername: string,
): Promise<Viewer | null> {
  const where = byIdOrUsername(idOrUsername);
  const user = await db.user.findFirst({ where, select: { id: true } });
  return user && viewerOf(db, user.id);
}

/**
 * The viewer of a user, with the group levels and everything they can reach; null if the user does
 * not exist or is blocked.
 */
export async function viewerOf(db: Database, userId: number): Promise<Viewer | null> {
  const user = await db.user.findUnique({
    relationLoadStrategy: 'join',
    where: { id: userId },
    select: {
      id: true,
      username: true,
      createdAt: true,
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
  const reachableIds = await idsUnlessTooMany(db, groupsBelow(groupIds));
  const direct = await projectsReached(
    userId,
    reachableIds ? rows(reachableIds) : groupsBelow(groupIds),
    db,
  );
  const homes = direct.ids && (await idsUnlessTooMany(db, groupsOfProjects(rows(direct.ids))));
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

/** Above this, queries replace the cached lists. */
const mostCarried = 5000;

/** The ids that a query returns, or null if they are too many to cache. */
async function idsUnlessTooMany(db: Database, ids: Prisma.Sql): Promise<readonly number[] | null> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT DISTINCT id FROM (${ids}) given(id) LIMIT ${mostCarried + 1}`;
  return rows.length > mostCarried ? null : rows.map(({ id }) => id);
}

/**
 * The projects that a user reaches by direct membership or by a share, and when the first of these
 * expires.
 */
async function projectsReached(
  userId: number,
  groups: Prisma.Sql,
  db: Database,
): Promise<{ ids: readonly number[] | null; validUntil: Date | null }> {
  const rows = await db.$queryRaw<{ id: number; until: Date | null }[]>`
    SELECT project_id AS id, min(expires_at) AS until FROM (
      SELECT project_id, expires_at FROM members
      WHERE user_id = ${userId} AND project_id IS NOT NULL AND ${unexpiredRows}
      UNION ALL
      SELECT project_id, expires_at FROM project_group_links
      WHERE namespace_id IN (${groups}) AND ${unexpiredRows}
    ) given GROUP BY project_id LIMIT ${mostCarried + 1}`;
  return {
    ids: rows.length > mostCarried ? null : rows.map(({ id }) => id),
    validUntil: earliest(rows.map(({ until }) => until)),
  };
}

const earliest = (moments: readonly (Date | null)[]): Date | null =>
  moments.reduce((first, moment) => (!first || (moment && moment < first) ? moment : first), null);
