import type { Transaction } from '../../prisma/client.ts';
import type { JobDraft } from './job-drafts.ts';

interface Owner {
  readonly projectId: number;
  readonly pipelineId: number;
  /** The user they run for; null for an external service. */
  readonly userId: number | null;
  readonly isProtected: boolean;
}

/** Stores the jobs of a pipeline in order, in one statement with one parameter. */
export async function storeJobs(
  tx: Transaction,
  drafts: readonly JobDraft[],
  { projectId, pipelineId, userId, isProtected }: Owner,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO jobs (project_id, pipeline_id, user_id, is_protected, name, stage, stage_index,
      "when", is_allowed_to_fail, retries_left, tags, definition, updated_at)
    SELECT ${projectId}::int, ${pipelineId}::int, ${userId}::int, ${isProtected}::boolean, name, stage,
      "stageIndex", "when", "isAllowedToFail", "retriesLeft",
      ARRAY(SELECT jsonb_array_elements_text(tags)), definition, now()
    FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) AS (
      name text, stage text, "stageIndex" int, "when" text, "isAllowedToFail" boolean,
      "retriesLeft" int, tags jsonb, definition jsonb
    )) WITH ORDINALITY draft
    ORDER BY ordinality`;
}
