import { type Database, Prisma } from '../../prisma/client.ts';
import { subscribedHooks } from '../activity/notify-hooks.ts';
import type { CachedRunner } from '../ports/runner-cache.ts';
import { candidates, isFree } from './candidates.ts';
import { type OfferSources, offeredColumns, offerSources, readSources } from './offer-sources.ts';

/** What is written of a job that a runner takes. */
export interface AssignmentColumns {
  readonly runnerId: number;
  readonly tokenDigest: Uint8Array;
  readonly tokenSealed: string;
  readonly heardAt: Date;
}

/**
 * Gives a runner its next job by one statement, where nothing else follows from that: the job's pipeline
 * runs already, nobody changes it at the moment, and no hook wants to be told. Null, and nothing is
 * changed, where it is otherwise or nothing waits. Of a job that somebody is being given meanwhile the
 * statement learns when it takes the row, and goes on to the next. It takes the row before the pipeline's
 * and waits for neither, so that nobody can wait in a circle with it.
 */
export const assignAtOnce = (
  db: Database,
  runner: CachedRunner,
  { runnerId, tokenDigest, tokenSealed, heardAt }: AssignmentColumns,
): Promise<OfferSources | null> =>
  readSources(
    db,
    Prisma.sql`
      ${candidates(runner, [])}, claimed AS MATERIALIZED (
        SELECT waiting.id, waiting.pipeline_id FROM candidate CROSS JOIN LATERAL (
          SELECT id, pipeline_id FROM jobs
          WHERE jobs.id = candidate.id AND status = 'pending' AND ${isFree(runner)}
          FOR UPDATE SKIP LOCKED
        ) waiting LIMIT 1
      ), held AS MATERIALIZED (
        SELECT id FROM pipelines
        WHERE id = (SELECT pipeline_id FROM claimed) AND status = 'running'
        FOR SHARE SKIP LOCKED
      ), job AS (
        UPDATE jobs SET status = 'running', runner_id = ${runnerId}, token_digest = ${tokenDigest},
          token_sealed = ${tokenSealed}, heard_at = ${heardAt}, started_at = ${heardAt},
          updated_at = ${heardAt}, deadline_at = ${heardAt}::timestamptz + make_interval(
            secs => (SELECT build_timeout FROM projects WHERE id = jobs.project_id)
          )
        WHERE id = (SELECT id FROM claimed) AND pipeline_id = (SELECT id FROM held)
          AND status = 'pending' AND NOT is_retried
          AND NOT EXISTS (${subscribedHooks(Prisma.sql`jobs.project_id`, 'onJob')})
        RETURNING ${offeredColumns}
      )
      ${offerSources}`,
  );
