import type { Transaction } from '../../prisma/client.ts';
import { refuseFaults } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { readNamespaceContents } from './contents.ts';
import { moveRoutes } from './move-routes.ts';
import { takenFaults } from './taken.ts';

/**
 * Changes the name or path of a group or personal namespace that the transaction has locked.
 * Updates everything below it with one statement per table; the old paths redirect. Throws if a
 * sibling has the name, or if another namespace has or had the path (v4-behaviour 2.4).
 */
export async function renameNamespace(
  tx: Transaction,
  id: number,
  given: { readonly name?: string | undefined; readonly path?: string | undefined },
): Promise<void> {
  const current = await tx.namespace.findUniqueOrThrow({ where: { id } });
  const { name, path } = { name: given.name ?? current.name, path: given.path ?? current.path };
  if (name === current.name && path === current.path) return;
  const fullName = current.fullName.slice(0, current.fullName.length - current.name.length) + name;
  const fullPath = current.fullPath.slice(0, current.fullPath.length - current.path.length) + path;
  const [from, to] = [routeKey(current.fullPath), routeKey(fullPath)];
  const contents = await readNamespaceContents(tx, id);
  const { parentId } = current;
  refuseFaults(
    await takenFaults(tx, {
      id,
      parentId,
      ...(name !== current.name && { name }),
      ...(from !== to && { fullPath }),
    }),
  );
  if (from !== to) await moveRoutes(tx, contents, from, to);
  await tx.$executeRaw`
    UPDATE namespaces SET
      name = CASE WHEN id = ${id} THEN ${name} ELSE name END,
      path = CASE WHEN id = ${id} THEN ${path} ELSE path END,
      full_name = ${fullName} || substr(full_name, char_length(${current.fullName}) + 1),
      full_path = ${fullPath} || substr(full_path, ${current.fullPath.length + 1}::int),
      updated_at = CASE WHEN id = ${id} THEN now() ELSE updated_at END
    WHERE id = ANY(${contents.namespaceIds}::int[])`;
  await tx.$executeRaw`
    UPDATE projects SET
      full_name = ${fullName} || substr(full_name, char_length(${current.fullName}) + 1),
      full_path = ${fullPath} || substr(full_path, ${current.fullPath.length + 1}::int),
      namespace_name = CASE WHEN namespace_id = ${id} THEN ${name} ELSE namespace_name END
    WHERE id = ANY(${contents.projectIds}::int[])`;
}
