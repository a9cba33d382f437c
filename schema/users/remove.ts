import { Prisma, type Transaction } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import { unexpiredCondition, unexpiredRows } from '../kernel/sql.ts';
import { insufficientLocks, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { removeNamespace } from '../namespaces/remove.ts';
import { canRemoveUser } from './policy.ts';

/**
 * Removes a user with the personal namespace and all that is theirs; administrators only, and not
 * themselves. Groups that would be left without an owner are a conflict, or go as well when
 * `isHard`. Names and addresses are free when this resolves; repositories and files go by jobs.
 */
export async function removeUser(id: number, isHard: boolean, ctx: Context): Promise<void> {
  const { db, viewer } = ctx;
  if (!viewer || !canRemoveUser(viewer, id)) throw forbidden();
  await transact(db, async (tx) => {
    // namespaces, issues, projects, users: in the order in which everybody takes them
    const held = await takeNamespaces(tx, id);
    await takeIssues(tx, id);
    const groups = await ownedAlone(tx, id);
    const going = [...(isHard ? outermost(groups) : []), ...(await personal(tx, id))];
    const goingIds = going.map((namespace) => namespace.id);
    await takeProjects(tx, id, goingIds);
    refuseModified(await takeUser(tx, id, viewer.id), ctx);
    if ((await ownedBy(tx, id)).some((owned) => !held.has(owned))) throw insufficientLocks;
    if (groups.length > 0 && !isHard) throw conflict(soleOwner);
    for (const namespaceId of goingIds) await removeNamespace(tx, namespaceId, ctx.jobs);
    await takeStarsBack(tx, id);
    await takeVotesBack(tx, id);
    await tx.snippet.deleteMany({ where: { authorId: id, projectId: null } });
    await tx.user.delete({ where: { id }, select: { id: true } });
    await ctx.jobs.enqueue('remove-uploads', { owner: { kind: 'user', id } }, tx);
  });
  ctx.viewers.forgetAll();
}

const soleOwner = 'User cannot be removed while they are the only owner of a group';

interface Held {
  readonly id: number;
  readonly ancestorIds: readonly number[];
}

interface Taken {
  readonly id: number;
  readonly isAdmin: boolean;
  readonly updatedAt: Date;
}

/**
 * Their own namespace, the groups of which they are an owner and those above: nobody makes anything
 * there from here on, nor leaves a group to them. Of two owners who are removed at once, or of whom
 * one leaves, the second one is told.
 */
async function takeNamespaces(tx: Transaction, userId: number): Promise<ReadonlySet<number>> {
  const namespaces = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM namespaces
    WHERE id IN (
      SELECT id FROM namespaces WHERE owner_id = ${userId}
      UNION
      SELECT unnest(ancestor_ids)
      FROM members JOIN namespaces ON namespaces.id = members.namespace_id
      WHERE user_id = ${userId} AND access_level = ${Access.owner} AND NOT is_removed)
    ORDER BY id FOR UPDATE`;
  return new Set(namespaces.map(({ id }) => id));
}

const votes = Prisma.sql`issue_id IS NOT NULL AND name IN ('thumbsup', 'thumbsdown')`;

/** The issues that count their vote. */
async function takeIssues(tx: Transaction, userId: number): Promise<void> {
  await tx.$queryRaw`
    SELECT id FROM issues
    WHERE id IN (SELECT issue_id FROM award_emojis WHERE user_id = ${userId} AND ${votes})
    ORDER BY id FOR NO KEY UPDATE`;
}

/** The projects that go with them, and those that name them or count their star. */
async function takeProjects(
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

/** Nobody gives them anything from here on. Of two administrators who remove each other, one is left. */
async function takeUser(tx: Transaction, id: number, viewerId: number): Promise<Taken> {
  const people = await tx.$queryRaw<Taken[]>`
    SELECT id, is_admin AS "isAdmin", updated_at AS "updatedAt"
    FROM users WHERE id IN (${id}, ${viewerId}) ORDER BY id FOR UPDATE`;
  if (!people.some((person) => person.id === viewerId && person.isAdmin)) throw forbidden();
  const user = people.find((person) => person.id === id);
  if (!user) throw notFound('User');
  return user;
}

/** The groups they own by now; nobody makes them an owner of another one after this. */
async function ownedBy(tx: Transaction, userId: number): Promise<readonly number[]> {
  const memberships = await tx.$queryRaw<{ id: number; accessLevel: number }[]>`
    SELECT namespaces.id, access_level AS "accessLevel"
    FROM members JOIN namespaces ON namespaces.id = members.namespace_id
    WHERE user_id = ${userId} AND NOT is_removed
    ORDER BY members.id FOR UPDATE OF members`;
  return memberships
    .filter(({ accessLevel }) => accessLevel === Access.owner)
    .map((membership) => membership.id);
}

/** The groups of which they are an owner and nobody else is, there or above. */
async function ownedAlone(tx: Transaction, userId: number): Promise<readonly Held[]> {
  return tx.$queryRaw<Held[]>`
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

/** What lies below another one goes with it. */
const outermost = (groups: readonly Held[]): readonly Held[] => {
  const ids = new Set(groups.map(({ id }) => id));
  return groups.filter(
    ({ id, ancestorIds }) => !ancestorIds.some((above) => above !== id && ids.has(above)),
  );
};

const personal = (tx: Transaction, ownerId: number): Promise<Held[]> =>
  tx.namespace.findMany({ where: { ownerId }, select: { id: true, ancestorIds: true } });

/** In order of ids, so that two who starred the same projects do not wait for each other. */
async function takeStarsBack(tx: Transaction, userId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE projects SET star_count = star_count - 1
    FROM (
      SELECT id FROM projects
      WHERE id IN (SELECT project_id FROM project_stars WHERE user_id = ${userId})
      ORDER BY id FOR NO KEY UPDATE
    ) starred
    WHERE projects.id = starred.id`;
}

async function takeVotesBack(tx: Transaction, userId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE issues SET upvotes = upvotes - given.up, downvotes = downvotes - given.down
    FROM (
      SELECT issue_id, count(*) FILTER (WHERE name = 'thumbsup') AS up,
        count(*) FILTER (WHERE name = 'thumbsdown') AS down
      FROM award_emojis WHERE user_id = ${userId} AND ${votes} GROUP BY issue_id
    ) given
    WHERE issues.id = given.issue_id`;
}
