import type { Transaction } from '../../prisma/client.ts';

/** The ids of a namespace, all its descendants and their projects. */
export interface Contents {
  readonly namespaceIds: readonly number[];
  readonly projectIds: readonly number[];
}

/**
 * The contents of a namespace that the transaction has locked. The ids are read before the
 * statements that use them: knowing their number, PostgreSQL uses the indexes of large tables.
 */
export async function readNamespaceContents(tx: Transaction, id: number): Promise<Contents> {
  const namespaces = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM namespaces WHERE ancestor_ids @> ARRAY[${id}]::int[]`;
  const namespaceIds = namespaces.map((row) => row.id);
  const projects = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM projects WHERE namespace_id = ANY(${namespaceIds}::int[])`;
  return { namespaceIds, projectIds: projects.map((row) => row.id) };
}
