import type { Transaction } from '../../prisma/client.ts';
import { isWider, type Visibility } from '../kernel/access.ts';
import { refuseBadAvatar, replaceAvatar } from '../kernel/avatar.ts';
import type { Context } from '../kernel/context.ts';
import { invalid, notFound, refuseFaults, unauthenticated } from '../kernel/errors.ts';
import { isUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { lockNamespace } from '../namespaces/lock.ts';
import { renameNamespace } from '../namespaces/rename.ts';
import { takenFaults } from '../namespaces/taken.ts';
import { type GroupSettings, groupFaults, takenError } from './create.ts';
import { findGroup } from './find.ts';
import { canAdministerGroup } from './policy.ts';

/**
 * Updates the given fields of a group and returns its id; owners only. Throws if the visibility
 * exceeds the parent's or is below that of the group's contents, or if the path is or was another
 * owner's (v4-behaviour 2.4).
 */
export async function updateGroup(
  ref: string,
  { avatar, ...change }: GroupSettings,
  ctx: Context,
): Promise<number> {
  const { viewer, db, settings } = ctx;
  const group = await findGroup(ref, ctx, canAdministerGroup);
  if (!viewer) throw unauthenticated();
  await refuseBadAvatar(avatar, ctx);
  const { id } = group;
  const { name, path, ...columns } = change;
  try {
    await transact(db, async (tx) => {
      await lockNamespace(tx, group);
      const locked = await tx.namespace.findFirst({
        where: { id, isRemoved: false },
        include: { parent: { select: { visibility: true } } },
      });
      if (!locked) throw notFound('Group');
      refuseFaults(groupFaults(changesTo(locked, change), locked.parent, viewer, settings.current));
      if (columns.visibility && isWider(locked.visibility, columns.visibility)) {
        await refuseWiderContent(id, columns.visibility, tx);
      }
      await renameNamespace(tx, id, { name, path });
      await tx.namespace.update({
        where: { id },
        data: { ...columns, updatedAt: new Date() },
        select: { id: true },
      });
    });
  } catch (error) {
    if (isUniqueViolation(error)) {
      const { parentId, fullPath: before } = group;
      const fullPath =
        path === undefined
          ? undefined
          : `${before.slice(0, before.length - group.path.length)}${path}`;
      throw takenError(await takenFaults(db, { id, parentId, name, fullPath }));
    }
    throw error;
  }
  await replaceAvatar({ kind: 'group', id }, avatar, ctx);
  return id;
}

/** Unchanged values are not validated again, because the rules may have changed since. */
function changesTo(
  group: Omit<GroupSettings, 'avatar'>,
  { name, path, visibility, description }: GroupSettings,
) {
  return {
    ...(name !== undefined && name !== group.name && { name }),
    ...(path !== undefined && path !== group.path && { path }),
    ...(visibility && visibility !== group.visibility && { visibility }),
    ...(description !== undefined && { description }),
  };
}

/** A group's visibility may not be below that of its contents. */
async function refuseWiderContent(
  id: number,
  visibility: Visibility,
  tx: Transaction,
): Promise<void> {
  const wider = (['internal', 'public'] as const).filter((other) => isWider(other, visibility));
  const below = { visibility: { in: wider }, isRemoved: false };
  const project = await tx.project.findFirst({
    where: { namespace: { ancestorIds: { has: id } }, ...below },
    select: { id: true },
  });
  const group =
    project ??
    (await tx.namespace.findFirst({
      where: { ancestorIds: { has: id }, id: { not: id }, ...below },
      select: { id: true },
    }));
  if (!group) return;
  const what = project ? 'projects' : 'sub-groups';
  throw invalid({
    visibility: [
      `${visibility} is not allowed since this group contains ${what} with higher visibility.`,
    ],
  });
}
