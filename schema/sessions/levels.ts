import type { Transaction } from '../../prisma/client.ts';
import type { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { unexpired } from '../members/valid.ts';

/** The user fields needed to compute their level in a project. */
export type LevelHolder = Pick<Viewer, 'id' | 'isAdmin' | 'groupLevels'>;

/**
 * A user with their group levels, in one query; null if the user does not exist or is blocked. Much
 * faster than `viewerOf`, which also loads everything the user can reach.
 */
export async function levelsOf(
  db: Pick<Transaction, 'user'>,
  userId: number,
): Promise<LevelHolder | null> {
  const user = await db.user.findUnique({
    relationLoadStrategy: 'join',
    where: { id: userId },
    select: {
      id: true,
      state: true,
      isAdmin: true,
      memberships: {
        where: { namespace: { isRemoved: false }, ...unexpired() },
        select: { namespaceId: true, accessLevel: true },
      },
    },
  });
  if (user?.state !== 'active') return null;
  const { id, isAdmin, memberships } = user;
  const levels = memberships.flatMap(({ namespaceId, accessLevel }) =>
    namespaceId === null ? [] : [[namespaceId, accessLevel as Access] as const],
  );
  return { id, isAdmin, groupLevels: new Map(levels) };
}
