import { Prisma } from '../../prisma/client.ts';
import { isRefProtectedNow } from '../pipelines/protected-ref.ts';

/** A variable of a group or project. */
export interface SealedSecret {
  readonly key: string;
  readonly valueSealed: string;
}

/**
 * The variables for the row `job` of the rows `project` and `pipeline`, as JSON: of its groups,
 * outermost first, then its own. Protected ones only if the ref was protected when the pipeline was
 * created, and still is (v4-behaviour 5.4).
 */
export const sealedSecrets: Prisma.Sql = Prisma.sql`(
  SELECT coalesce(json_agg(
    json_build_object('key', secret.key, 'valueSealed', secret.value_sealed)
    ORDER BY secret.project_id IS NOT NULL, cardinality(place.ancestor_ids), secret.id
  ), '[]')
  FROM variables secret LEFT JOIN namespaces place ON place.id = secret.namespace_id
  WHERE (NOT secret.is_protected OR (job.is_protected AND ${isRefProtectedNow('pipeline')}))
    AND (secret.project_id = project.id OR secret.namespace_id IN (
      SELECT unnest(ancestor_ids) FROM namespaces WHERE id = project.namespace_id
    ))
)`;
