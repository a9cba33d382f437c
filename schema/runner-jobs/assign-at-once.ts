import { type Database, Prisma } from '../../prisma/client.ts';
import { subscribedHooks } from '../activity/notify-hooks.ts';
import type { CachedRunner } from '../ports/runner-cache.ts';
import { candidates, isFree } from './candidates.ts';
import { type OfferSources, offeredColumns, offerSources, readSources } from './offer-sources.ts';

/** The columns written when a job is assigned. */
export interface AssignmentColumns {
  readonly runnerId: number;
  readonly tokenDigest: Uint8Array;
  readonly tokenSealed: string;
  readonly heardAt: Date;
}

/**
 * Assigns a runner its next job in one statement, in the common case: the pipeline runs already, no
 * other transaction is changing it, and no webhook is subscribed. Otherwise, or without a pending
 * job, returns null and changes nothing. Skips jobs that another runner is being assigned. Locks
 * the job before the pipeline and waits for neither, so it cannot deadlock.
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
