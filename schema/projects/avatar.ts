import { groupWhere, isGroupVisible } from '../groups/find.ts';
import { parseAvatarColumn } from '../kernel/avatar.ts';
import type { Context } from '../kernel/context.ts';
import type { UploadOwner } from '../ports/uploads.ts';
import { isProjectVisible, levelSelection, projectWhere } from './find.ts';

/**
 * The column with the avatar's location, if the viewer may see its owner; null without an avatar.
 * Users are visible to everyone.
 */
export async function findAvatar(
  { kind, id }: UploadOwner,
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
): Promise<string | null> {
  const select = { avatar: true } as const;
  if (kind === 'user') {
    const user = await db.user.findUnique({ where: { id }, select });
    return user?.avatar ?? null;
  }
  if (kind === 'group') {
    const group = await db.namespace.findFirst({ where: groupWhere(String(id)) });
    return group && (await isGroupVisible(group, { db, viewer })) ? group.avatar : null;
  }
  const project = await db.project.findFirst({
    where: projectWhere(String(id)),
    select: { ...levelSelection(viewer), ...select },
  });
  return project && isProjectVisible(viewer, project) ? project.avatar : null;
}

/** Whether a stored file has a record: as an avatar, or as an upload of a project. */
export async function hasRecord(
  { kind, id }: UploadOwner,
  key: string,
  { db }: Pick<Context, 'db'>,
): Promise<boolean> {
  const select = { avatar: true } as const;
  const owner = await {
    user: () => db.user.findUnique({ where: { id }, select }),
    group: () => db.namespace.findUnique({ where: { id }, select }),
    project: () => db.project.findUnique({ where: { id }, select }),
  }[kind]();
  if (owner?.avatar && parseAvatarColumn(owner.avatar).key === key) return true;
  return (
    kind === 'project' && (await db.upload.count({ where: { secret: key, projectId: id } })) > 0
  );
}
