import type { Transaction } from '../../prisma/client.ts';
import { refuseFaults } from '../kernel/errors.ts';
import type { Contents } from './contents.ts';
import { pathLengthFaults } from './routes.ts';

/**
 * Replaces the prefix `from` by `to` in the paths of a namespace and everything below it, and keeps
 * redirects; a former path of the namespace's own contents can be reused. Throws if a path would be
 * too long. The caller updates `full_path`.
 */
export async function moveRoutes(
  tx: Transaction,
  contents: Contents,
  from: string,
  to: string,
): Promise<void> {
  const longest = await longestPath(tx, contents);
  refuseFaults({ path: pathLengthFaults(longest - from.length + to.length) });
  await moveRoutesOf(tx, 'namespace_id', contents.namespaceIds, from, to);
  await moveRoutesOf(tx, 'project_id', contents.projectIds, from, to);
}

/** The length of the longest full path in a namespace, including its own. */
async function longestPath(
  tx: Transaction,
  { namespaceIds, projectIds }: Contents,
): Promise<number> {
  const [row] = await tx.$queryRaw<[{ longest: number }]>`
    SELECT max(length(full_path))::int AS longest FROM (
      SELECT full_path FROM namespaces WHERE id = ANY(${namespaceIds}::int[])
      UNION ALL
      SELECT full_path FROM projects WHERE id = ANY(${projectIds}::int[])
    ) paths`;
  return row.longest;
}

/** Finds routes by owner, without comparing paths. */
async function moveRoutesOf(
  tx: Transaction,
  owner: 'namespace_id' | 'project_id',
  ids: readonly number[],
  from: string,
  to: string,
): Promise<void> {
  const moved = [ids, to, from.length + 1];
  await tx.$executeRawUnsafe(
    `DELETE FROM former_paths WHERE key = ANY(ARRAY(
       SELECT $2::text || substr(key, $3::int) FROM routes WHERE ${owner} = ANY($1::int[])))`,
    ...moved,
  );
  await tx.$executeRawUnsafe(
    `INSERT INTO former_paths (key, ${owner})
     SELECT key, ${owner} FROM routes WHERE ${owner} = ANY($1::int[])
     ON CONFLICT (key) DO UPDATE SET namespace_id = excluded.namespace_id, project_id = excluded.project_id`,
    ids,
  );
  await tx.$executeRawUnsafe(
    `UPDATE routes SET key = $2::text || substr(key, $3::int) WHERE ${owner} = ANY($1::int[])`,
    ...moved,
  );
}
