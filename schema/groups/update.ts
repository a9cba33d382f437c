import { isWider } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { invalid, refuseFaults, unauthenticated } from '../kernel/errors.ts';
import { takeNamespace } from '../kernel/routes.ts';
import { isTaken, transact } from '../kernel/storage-errors.ts';
import { renameNamespace } from '../namespaces/rename.ts';
import { type GroupSettings, groupFaults, takenFault } from './create.ts';
import { findGroup } from './find.ts';
import { canAdministerGroup } from './policy.ts';

/**
 * Changes what is given of a group and gives its id; owners only. Refuses a visibility above the
 * parent's or below what the group contains (v4-behaviour 2.4).
 */
export async function updateGroup(
  ref: string,
  change: GroupSettings,
  ctx: Context,
): Promise<number> {
  const { viewer, db } = ctx;
  const group = await findGroup(ref, ctx, canAdministerGroup);
  if (!viewer) throw unauthenticated();
  const parent =
    group.parentId === null
      ? null
      : await db.namespace.findUniqueOrThrow({ where: { id: group.parentId } });
  const faults = groupFaults(change, parent, viewer, ctx.settings.current);
  refuseFaults(faults);
  const { name, path, ...columns } = change;
  try {
    await transact(db, async (tx) => {
      await takeNamespace(tx, group);
      if (name !== undefined || path !== undefined)
        await renameNamespace(tx, group.id, { name, path });
      await tx.namespace.update({ where: { id: group.id }, data: columns, select: { id: true } });
      if (columns.visibility && isWider(group.visibility, columns.visibility)) {
        await refuseWiderContent(group.id, columns.visibility, tx);
      }
    });
  } catch (error) {
    if (isTaken(error)) {
      throw invalid(await takenFault({ ...group, name: name ?? group.name }, db));
    }
    throw error;
  }
  return group.id;
}

/** A group may not be narrower than what is in it. */
async function refuseWiderContent(
  id: number,
  visibility: 'private' | 'internal' | 'public',
  db: Pick<Context['db'], 'project' | 'namespace'>,
): Promise<void> {
  const wider = (['internal', 'public'] as const).filter((other) => isWider(other, visibility));
  const below = { visibility: { in: wider } };
  const project = await db.project.findFirst({
    where: { namespace: { ancestorIds: { has: id } }, ...below },
    select: { id: true },
  });
  const group =
    project ??
    (await db.namespace.findFirst({
      where: { ancestorIds: { has: id }, id: { not: id }, ...below },
      select: { id: true },
    }));
  if (!group) return;
  const what = project ? 'projects' : 'sub-groups';
  throw invalid({
    visibility_level: [
      `${visibility} is not allowed since this group contains ${what} with higher visibility.`,
    ],
  });
}
