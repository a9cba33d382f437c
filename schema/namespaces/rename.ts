import type { Transaction } from '../../prisma/client.ts';
import { invalid } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { fullPathFaults, isPathTaken } from '../kernel/routes.ts';

/**
 * Gives a group, which the transaction has taken, another name or path. Everything below it follows
 * at once, one statement a table; every old path stays behind as a redirect.
 */
export async function renameGroup(
  tx: Transaction,
  id: number,
  given: { readonly name?: string | undefined; readonly path?: string | undefined },
): Promise<void> {
  const group = await tx.namespace.findUniqueOrThrow({ where: { id } });
  const { name, path } = { name: given.name ?? group.name, path: given.path ?? group.path };
  if (name === group.name && path === group.path) return;
  const fullName = group.fullName.slice(0, group.fullName.length - group.name.length) + name;
  const fullPath = group.fullPath.slice(0, group.fullPath.length - group.path.length) + path;
  const isMoved = routeKey(fullPath) !== routeKey(group.fullPath);
  if (isMoved && (await isPathTaken(tx, fullPath))) {
    throw invalid({ path: ['has already been taken'] });
  }
  if (isMoved) await refuseLongPaths(tx, group, fullPath);
  if (isMoved) await moveRoutes(tx, routeKey(group.fullPath), routeKey(fullPath));
  await tx.$executeRaw`
    UPDATE namespaces SET
      name = CASE WHEN id = ${group.id} THEN ${name} ELSE name END,
      path = CASE WHEN id = ${group.id} THEN ${path} ELSE path END,
      full_name = ${fullName} || substr(full_name, char_length(${group.fullName}) + 1),
      full_path = ${fullPath} || substr(full_path, ${group.fullPath.length + 1}::int)
    WHERE ancestor_ids @> ARRAY[${group.id}]::int[]`;
  await tx.$executeRaw`
    UPDATE projects SET
      full_name = ${fullName} || substr(projects.full_name, char_length(${group.fullName}) + 1),
      full_path = ${fullPath} || substr(projects.full_path, ${group.fullPath.length + 1}::int)
    FROM namespaces
    WHERE namespaces.id = projects.namespace_id
      AND namespaces.ancestor_ids @> ARRAY[${group.id}]::int[]`;
}

/** `from` and everything below it become `to`: paths hold no `%`, and `_` is told apart by the prefix. */
async function moveRoutes(tx: Transaction, from: string, to: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO former_paths (key, namespace_id, project_id)
    SELECT key, namespace_id, project_id FROM routes
    WHERE key = ${from} OR starts_with(key, ${`${from}/`})`;
  await tx.$executeRaw`
    UPDATE routes SET key = ${to} || substr(key, ${from.length + 1}::int)
    WHERE key = ${from} OR starts_with(key, ${`${from}/`})`;
}

/** The longest path below must fit as well. */
async function refuseLongPaths(
  tx: Transaction,
  { fullPath }: { readonly fullPath: string },
  moved: string,
): Promise<void> {
  const [row] = await tx.$queryRaw<[{ longest: number | null }]>`
    SELECT max(length(key))::int AS longest FROM routes
    WHERE key = ${routeKey(fullPath)} OR starts_with(key, ${`${routeKey(fullPath)}/`})`;
  const longest = (row.longest ?? 0) - fullPath.length + moved.length;
  const faults = fullPathFaults('x'.repeat(Math.max(longest, 0)));
  if (faults.length > 0) throw invalid({ path: faults });
}
