import { Prisma } from '../../prisma/client.ts';

/** A job of an earlier stage, as JSON. */
export interface SealedJob {
  readonly id: number;
  readonly name: string;
  readonly tokenSealed: string;
  readonly artifactsFile: string | null;
  /** Bytes, in digits. */
  readonly artifactsSize: string | null;
}

/**
 * The jobs of earlier stages whose artifacts the row `job` downloads, as JSON: its `dependencies`,
 * or all. Jobs that never ran have no token and are excluded (v4-behaviour 3.12).
 */
export const earlierJobs: Prisma.Sql = Prisma.sql`CASE WHEN job.stage_index = 0 THEN '[]' ELSE (
  SELECT coalesce(json_agg(
    json_build_object('id', earlier.id, 'name', earlier.name, 'tokenSealed', earlier.token_sealed,
      'artifactsFile',
      CASE WHEN earlier.artifacts_expire_at <= now() THEN NULL ELSE earlier.artifacts_file END,
      'artifactsSize', earlier.artifacts_size::text)
    ORDER BY earlier.stage_index, earlier.id
  ), '[]')
  FROM jobs earlier
  WHERE earlier.pipeline_id = job.pipeline_id AND NOT earlier.is_retried
    AND earlier.stage_index < job.stage_index AND earlier.token_sealed IS NOT NULL
    AND (jsonb_typeof(job.definition->'dependencies') IS DISTINCT FROM 'array'
      OR job.definition->'dependencies' @> to_jsonb(earlier.name))
) END`;
