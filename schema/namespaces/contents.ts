import type { Transaction } from '../../prisma/client.ts';

/** A namespace, everything below it, and the projects in all of these, by id. */
export interface Contents {
  readonly namespaceIds: readonly number[];
  readonly projectIds: readonly number[];
}

/**
 * What a namespace, which the transaction has taken, consists of. The ids are read ahead of the
 * statements about them: knowing how many there are, PostgreSQL finds few by index in large tables.
 */
export async function contentsOf(tx: Transaction, id: number): Promise<Contents> {
  const namespaces = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM namespaces WHERE ancestor_ids @> ARRAY[${id}]::int[]`;
  const namespaceIds = namespaces.map((row) => row.id);
  const projects = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM projects WHERE namespace_id = ANY(${namespaceIds}::int[])`;
  return { namespaceIds, projectIds: projects.map((row) => row.id) };
}
