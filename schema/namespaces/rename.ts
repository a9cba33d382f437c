import type { Transaction } from '../../prisma/client.ts';
import { invalid } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { fullPathFaults, isPathTaken } from '../kernel/routes.ts';

/**
 * Gives a group or a personal namespace, which the transaction has taken, another name or path.
 * Everything below it follows at once, one statement a table; every old path stays behind as a
 * redirect. Refuses a path that somebody else has or had (v4-behaviour 2.4).
 */
export async function renameNamespace(
  tx: Transaction,
  id: number,
  given: { readonly name?: string | undefined; readonly path?: string | undefined },
): Promise<void> {
  const found = await tx.namespace.findUniqueOrThrow({ where: { id } });
  const { name, path } = { name: given.name ?? found.name, path: given.path ?? found.path };
  if (name === found.name && path === found.path) return;
  const fullName = found.fullName.slice(0, found.fullName.length - found.name.length) + name;
  const fullPath = found.fullPath.slice(0, found.fullPath.length - found.path.length) + path;
  const [from, to] = [routeKey(found.fullPath), routeKey(fullPath)];
  if (from !== to) {
    if (await isPathTaken(tx, fullPath, { namespaceId: id })) {
      throw invalid({ path: ['has already been taken'] });
    }
    await refuseLongPaths(tx, id, to.length - from.length);
    await moveRoutes(tx, id, from, to);
  }
  await tx.$executeRaw`
    UPDATE namespaces SET
      name = CASE WHEN id = ${id} THEN ${name} ELSE name END,
      path = CASE WHEN id = ${id} THEN ${path} ELSE path END,
      full_name = ${fullName} || substr(full_name, char_length(${found.fullName}) + 1),
      full_path = ${fullPath} || substr(full_path, ${found.fullPath.length + 1}::int)
    WHERE ancestor_ids @> ARRAY[${id}]::int[]`;
  await tx.$executeRaw`
    UPDATE projects SET
      full_name = ${fullName} || substr(projects.full_name, char_length(${found.fullName}) + 1),
      full_path = ${fullPath} || substr(projects.full_path, ${found.fullPath.length + 1}::int),
      namespace_name = CASE WHEN namespace_id = ${id} THEN ${name} ELSE namespace_name END
    FROM namespaces
    WHERE namespaces.id = projects.namespace_id
      AND namespaces.ancestor_ids @> ARRAY[${id}]::int[]`;
}

/** The routes of a namespace and of everything below it, by id: no path has to be compared. */
const routesBelow = `
  SELECT key, namespace_id, project_id FROM routes
  WHERE namespace_id IN (SELECT id FROM namespaces WHERE ancestor_ids @> ARRAY[$1]::int[])
  UNION ALL
  SELECT key, routes.namespace_id, project_id FROM routes
  JOIN projects ON projects.id = project_id
  JOIN namespaces ON namespaces.id = projects.namespace_id
  WHERE ancestor_ids @> ARRAY[$1]::int[]`;

/** Every path from `from` on becomes one from `to` on; a path that one's own things had is theirs again. */
async function moveRoutes(tx: Transaction, id: number, from: string, to: string): Promise<void> {
  await tx.$executeRawUnsafe(
    `DELETE FROM former_paths USING (${routesBelow}) moved
     WHERE former_paths.key = $2 || substr(moved.key, $3::int)`,
    id,
    to,
    from.length + 1,
  );
  await tx.$executeRawUnsafe(
    `INSERT INTO former_paths (key, namespace_id, project_id) ${routesBelow}`,
    id,
  );
  await tx.$executeRawUnsafe(
    `UPDATE routes SET key = $2 || substr(routes.key, $3::int)
     FROM (${routesBelow}) moved WHERE routes.key = moved.key`,
    id,
    to,
    from.length + 1,
  );
}

/** The longest path below must fit as well. */
async function refuseLongPaths(tx: Transaction, id: number, growth: number): Promise<void> {
  const [row] = await tx.$queryRawUnsafe<[{ longest: number | null }]>(
    `SELECT max(length(key))::int AS longest FROM (${routesBelow}) moved`,
    id,
  );
  const faults = fullPathFaults('x'.repeat(Math.max((row.longest ?? 0) + growth, 0)));
  if (faults.length > 0) throw invalid({ path: faults });
}
