import type { Transaction } from '../../prisma/client.ts';

interface Clone {
  /** `created`: until the turn of its stage. */
  readonly status: 'created' | 'pending';
  /** The user that the job runs for. */
  readonly userId: number | null;
}

/**
 * Creates a further row for a retried job, which replaces the existing one. Returns its id. The
 * transaction must have locked the pipeline.
 */
export async function cloneJob(
  tx: Transaction,
  id: number,
  { status, userId }: Clone,
): Promise<number> {
  const now = new Date();
  const [clone] = await tx.$queryRaw<[{ id: number }]>`
    WITH tried AS (
      UPDATE jobs SET is_retried = true, updated_at = ${now} WHERE id = ${id} RETURNING *
    )
    INSERT INTO jobs (project_id, pipeline_id, name, stage, stage_index, status, "when",
      is_allowed_to_fail, retries_left, tags, is_protected, definition, user_id, queued_at,
      updated_at)
    SELECT project_id, pipeline_id, name, stage, stage_index, ${status}::ci_status, "when",
      is_allowed_to_fail, greatest(retries_left - 1, 0), tags, is_protected, definition,
      ${userId}::int, CASE WHEN ${status === 'pending'} THEN ${now}::timestamptz END, ${now}
    FROM tried RETURNING id`;
  return clone.id;
}
