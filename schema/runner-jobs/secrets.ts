import { Prisma } from '../../prisma/client.ts';

/** A variable that people keep for the jobs of a group or a project. */
export interface SealedSecret {
  readonly key: string;
  readonly valueSealed: string;
}

/**
 * Those that the row `job` is given, whose project is the row `project`, as JSON: of the groups around
 * it, the outermost first, then its own; protected ones where the ref is (v4-behaviour 5.4).
 */
export const sealedSecrets: Prisma.Sql = Prisma.sql`(
  SELECT coalesce(json_agg(
    json_build_object('key', secret.key, 'valueSealed', secret.value_sealed)
    ORDER BY secret.project_id IS NOT NULL, cardinality(place.ancestor_ids), secret.id
  ), '[]')
  FROM variables secret LEFT JOIN namespaces place ON place.id = secret.namespace_id
  WHERE (job.is_protected OR NOT secret.is_protected)
    AND (secret.project_id = project.id OR secret.namespace_id IN (
      SELECT unnest(ancestor_ids) FROM namespaces WHERE id = project.namespace_id
    ))
)`;
