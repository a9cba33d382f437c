import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound, unauthenticated } from '../kernel/errors.ts';
import { unexpired } from '../members/valid.ts';
import type { ProjectOwner } from './target.ts';

/** The owner of a new project: the viewer, or the user that an administrator names. */
export async function findOwner(id: number | null, { db, viewer }: Context): Promise<ProjectOwner> {
  if (!viewer) throw unauthenticated();
  if (id === null || id === viewer.id) return viewer;
  if (!viewer.isAdmin) throw forbidden();
  const user = await db.user.findUnique({
    where: { id },
    select: {
      id: true,
      isAdmin: true,
      memberships: {
        where: { namespace: { isRemoved: false }, ...unexpired() },
        select: { namespaceId: true, accessLevel: true },
      },
    },
  });
  if (!user) throw notFound('User');
  const levels = user.memberships.flatMap(({ namespaceId, accessLevel }) =>
    namespaceId === null ? [] : [[namespaceId, accessLevel as Access] as const],
  );
  return { id: user.id, isAdmin: user.isAdmin, groupLevels: new Map(levels) };
}
