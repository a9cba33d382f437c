import { visibleGroups } from '../groups/find.ts';
import { keptAvatar } from '../kernel/avatar.ts';
import type { Context } from '../kernel/context.ts';
import type { UploadOwner } from '../ports/uploads.ts';
import { visibleProjects } from './find.ts';

/**
 * The column that says where a picture is kept, if the viewer may see whose it is; null when there is
 * none. People are seen by anybody.
 */
export async function findAvatar(
  { kind, id }: UploadOwner,
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
): Promise<string | null> {
  const select = { avatar: true } as const;
  const found = await {
    user: () => db.user.findUnique({ where: { id }, select }),
    group: () =>
      db.namespace.findFirst({ where: { AND: [{ id }, visibleGroups(viewer)] }, select }),
    project: () =>
      db.project.findFirst({ where: { AND: [{ id }, visibleProjects(viewer)] }, select }),
  }[kind]();
  return found?.avatar ?? null;
}

/** Whether a kept file has its record: as somebody's picture, or in the texts of a project. */
export async function isKept(
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
  if (owner?.avatar && keptAvatar(owner.avatar).key === key) return true;
  return (
    kind === 'project' && (await db.upload.count({ where: { secret: key, projectId: id } })) > 0
  );
}
