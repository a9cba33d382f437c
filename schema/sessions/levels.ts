import type { Database } from '../../prisma/client.ts';
import type { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { unexpired } from '../members/valid.ts';

/** What of somebody decides what they may do in a project that is at hand. */
export type LevelHolder = Pick<Viewer, 'id' | 'isAdmin' | 'groupLevels'>;

/**
 * Somebody with the levels they hold in groups, by one query; null when there is none or they are
 * blocked. What else they reach, as `viewerOf` gives it, takes far longer to find.
 */
export async function levelsOf(db: Database, userId: number): Promise<LevelHolder | null> {
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
