import { Prisma, type Transaction } from '../../prisma/client.ts';
import { isWider, type Visibility, visibilities } from '../kernel/access.ts';
import { routeKey } from '../kernel/names.ts';
import { list } from '../kernel/sql.ts';
import { type Contents, readNamespaceContents } from './contents.ts';
import { moveRoutes } from './move-routes.ts';

/** The group that gets another one. */
export interface NewParent {
  readonly id: number;
  readonly ancestorIds: readonly number[];
  readonly fullName: string;
  readonly fullPath: string;
  readonly visibility: Visibility;
}

/**
 * Moves a group with everything below it into another group, or to the top level, with one
 * statement per table; the old paths redirect. What would be visible to more users than the new
 * parent gets its visibility. Returns the contents of the group. The caller has locked the group for
 * writing and the new parent in share mode, and checked that name and path are free.
 */
export async function moveNamespace(
  tx: Transaction,
  id: number,
  parent: NewParent | null,
): Promise<Contents> {
  const current = await tx.namespace.findUniqueOrThrow({ where: { id } });
  const { name, path } = current;
  const fullName = parent ? `${parent.fullName} / ${name}` : name;
  const fullPath = parent ? `${parent.fullPath}/${path}` : path;
  const contents = await readNamespaceContents(tx, id);
  // before their routes, as everywhere; no label or milestone can be created in them
  await tx.$queryRaw`
    SELECT id FROM projects WHERE id = ANY(${list(contents.projectIds)}) ORDER BY id FOR UPDATE`;
  await moveRoutes(tx, contents, routeKey(current.fullPath), routeKey(fullPath));
  const names = Prisma.sql`
    full_name = ${fullName} || substr(full_name, char_length(${current.fullName}) + 1),
    full_path = ${fullPath} || substr(full_path, ${current.fullPath.length + 1}::int)`;
  await tx.$executeRaw`
    UPDATE namespaces SET ${names},
      parent_id = CASE WHEN id = ${id} THEN ${parent?.id ?? null}::int ELSE parent_id END,
      ancestor_ids = ${list(parent?.ancestorIds ?? [])} || ancestor_ids[${current.ancestorIds.length}::int:],
      updated_at = CASE WHEN id = ${id} THEN now() ELSE updated_at END
    WHERE id = ANY(${list(contents.namespaceIds)})`;
  await tx.$executeRaw`
    UPDATE projects SET ${names} WHERE id = ANY(${list(contents.projectIds)})`;
  if (parent) await narrow(tx, contents, parent.visibility);
  return contents;
}

/** Sets the visibility where it is wider. */
async function narrow(
  tx: Transaction,
  { namespaceIds, projectIds }: Contents,
  visibility: Visibility,
): Promise<void> {
  const wider = visibilities.filter((other) => isWider(other, visibility));
  if (wider.length === 0) return;
  const where = { visibility: { in: wider } };
  const data = { visibility };
  await tx.namespace.updateMany({ where: { ...where, id: { in: [...namespaceIds] } }, data });
  await tx.project.updateMany({ where: { ...where, id: { in: [...projectIds] } }, data });
}
