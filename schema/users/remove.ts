import { Prisma, type Transaction } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import { unexpiredCondition, unexpiredRows } from '../kernel/sql.ts';
import { insufficientLocks, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { refuseMoved } from '../namespaces/lock.ts';
import { removeNamespace } from '../namespaces/remove.ts';
import { canRemoveUser } from './policy.ts';

/**
 * Removes a user with the personal namespace and everything they own; administrators only, and not
 * themselves. Groups that would be left without an owner cause a `conflict`, or are removed as well
 * with `deletesOwnedGroups`. Names and addresses are free when this resolves; jobs remove repositories and
 * files.
 */
export async function removeUser(
  id: number,
  deletesOwnedGroups: boolean,
  ctx: Context,
): Promise<void> {
  const { db, viewer } = ctx;
  if (!viewer || !canRemoveUser(viewer, id)) throw forbidden();
  await transact(db, async (tx) => {
    // the lock order: namespaces, issues, projects, users
    const held = await lockNamespaces(tx, id);
    await lockIssues(tx, id);
    const groups = await solelyOwnedGroups(tx, id);
    const going = [
      ...(deletesOwnedGroups ? outermost(groups) : []),
      ...(await personalNamespaces(tx, id)),
    ];
    const goingIds = going.map((namespace) => namespace.id);
    await lockProjects(tx, id, goingIds);
    refuseModified(await lockUserToRemove(tx, id, viewer.id), ctx);
    if ((await ownedGroupIds(tx, id)).some((owned) => !held.has(owned))) throw insufficientLocks;
    if (groups.length > 0 && !deletesOwnedGroups) throw conflict(soleOwner);
    for (const namespaceId of goingIds) await removeNamespace(tx, namespaceId, ctx.jobs);
    await removeStars(tx, id);
    await removeVotes(tx, id);
    await tx.snippet.deleteMany({ where: { authorId: id, projectId: null } });
    await tx.user.delete({ where: { id }, select: { id: true } });
    await ctx.jobs.enqueue('remove-uploads', { owner: { kind: 'user', id } }, tx);
  });
  ctx.viewers.forgetAll();
}

const soleOwner = 'User cannot be removed while they are the only owner of a group';

interface NamespaceRow {
  readonly id: number;
  readonly ancestorIds: readonly number[];
}

interface LockedUser {
  readonly id: number;
  readonly isAdmin: boolean;
  readonly updatedAt: Date;
}

/**
 * Locks the personal namespace, the groups that the user owns and their ancestors: no record can be
 * created in them, and no co-owner can leave them. If two owners of a group leave or are removed
 * concurrently, the second request fails.
 */
async function lockNamespaces(tx: Transaction, userId: number): Promise<ReadonlySet<number>> {
  const namespaces = await tx.$queryRaw<NamespaceRow[]>`
    SELECT id, ancestor_ids AS "ancestorIds" FROM namespaces
    WHERE id IN (
      SELECT id FROM namespaces WHERE owner_id = ${userId}
      UNION
      SELECT unnest(ancestor_ids)
      FROM members JOIN namespaces ON namespaces.id = members.namespace_id
      WHERE user_id = ${userId} AND access_level = ${Access.owner} AND NOT is_removed)
    ORDER BY cardinality(ancestor_ids), id FOR UPDATE`;
  refuseMoved(namespaces);
  return new Set(namespaces.map(({ id }) => id));
}

const votes = Prisma.sql`issue_id IS NOT NULL AND name IN ('thumbsup', 'thumbsdown')`;

/** Locks the issues that count the user's vote. */
async function lockIssues(tx: Transaction, userId: number): Promise<void> {
  await tx.$queryRaw`
    SELECT id FROM issues
    WHERE id IN (SELECT issue_id FROM award_emojis WHERE user_id = ${userId} AND ${votes})
    ORDER BY id FOR NO KEY UPDATE`;
}

/** Locks the projects removed with the user, and those that refer to them or count their star. */
async function lockProjects(
  tx: Transaction,
  userId: number,
  namespaceIds: readonly number[],
): Promise<void> {
  await tx.$queryRaw`
    SELECT id FROM projects
    WHERE id IN (
      SELECT id FROM projects WHERE creator_id = ${userId}
      UNION
      SELECT project_id FROM project_stars WHERE user_id = ${userId}
      UNION
      SELECT projects.id
      FROM projects JOIN namespaces ON namespaces.id = projects.namespace_id
      WHERE ancestor_ids && ${namespaceIds}::int[])
    ORDER BY id FOR NO KEY UPDATE`;
}

/**
 * Locks the user, so that no record can refer to them. Of two administrators who remove each other,
 * one remains.
 */
async function lockUserToRemove(
  tx: Transaction,
  id: number,
  viewerId: number,
): Promise<LockedUser> {
  const people = await tx.$queryRaw<LockedUser[]>`
    SELECT id, is_admin AS "isAdmin", updated_at AS "updatedAt"
    FROM users WHERE id IN (${id}, ${viewerId}) ORDER BY id FOR UPDATE`;
  if (!people.some((person) => person.id === viewerId && person.isAdmin)) throw forbidden();
  const user = people.find((person) => person.id === id);
  if (!user) throw notFound('User');
  return user;
}

/** The groups that the user owns under the lock, which also prevents new ownerships. */
async function ownedGroupIds(tx: Transaction, userId: number): Promise<readonly number[]> {
  const memberships = await tx.$queryRaw<{ id: number; accessLevel: number }[]>`
    SELECT namespaces.id, access_level AS "accessLevel"
    FROM members JOIN namespaces ON namespaces.id = members.namespace_id
    WHERE user_id = ${userId} AND NOT is_removed
    ORDER BY members.id FOR UPDATE OF members`;
  return memberships
    .filter(({ accessLevel }) => accessLevel === Access.owner)
    .map((membership) => membership.id);
}

/** The groups that have no other owner, either direct or inherited. */
async function solelyOwnedGroups(
  tx: Transaction,
  userId: number,
): Promise<readonly NamespaceRow[]> {
  return tx.$queryRaw<NamespaceRow[]>`
    SELECT namespaces.id, ancestor_ids AS "ancestorIds"
    FROM members JOIN namespaces ON namespaces.id = members.namespace_id
    WHERE user_id = ${userId} AND access_level = ${Access.owner} AND NOT is_removed
      AND ${unexpiredRows}
      AND NOT EXISTS (
        SELECT FROM members others
        WHERE others.namespace_id = ANY(namespaces.ancestor_ids)
          AND others.user_id <> ${userId} AND others.access_level = ${Access.owner}
          AND ${Prisma.raw(unexpiredCondition('others'))})
    ORDER BY namespaces.id`;
}

/** Descendants are removed with their ancestor. */
const outermost = (groups: readonly NamespaceRow[]): readonly NamespaceRow[] => {
  const ids = new Set(groups.map(({ id }) => id));
  return groups.filter(
    ({ id, ancestorIds }) => !ancestorIds.some((above) => above !== id && ids.has(above)),
  );
};

const personalNamespaces = (tx: Transaction, ownerId: number): Promise<NamespaceRow[]> =>
  tx.namespace.findMany({ where: { ownerId }, select: { id: true, ancestorIds: true } });

/** In order of ids, to avoid deadlocks with other removals. */
async function removeStars(tx: Transaction, userId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE projects SET star_count = star_count - 1
    FROM (
      SELECT id FROM projects
      WHERE id IN (SELECT project_id FROM project_stars WHERE user_id = ${userId})
      ORDER BY id FOR NO KEY UPDATE
    ) starred
    WHERE projects.id = starred.id`;
}

async function removeVotes(tx: Transaction, userId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE issues SET upvotes = upvotes - given.up, downvotes = downvotes - given.down
    FROM (
      SELECT issue_id, count(*) FILTER (WHERE name = 'thumbsup') AS up,
        count(*) FILTER (WHERE name = 'thumbsdown') AS down
      FROM award_emojis WHERE user_id = ${userId} AND ${votes} GROUP BY issue_id
    ) given
    WHERE issues.id = given.issue_id`;
}
