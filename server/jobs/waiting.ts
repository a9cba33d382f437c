import type { PgBoss } from 'pg-boss';
import type { JobKind, Transaction, UnfinishedJobs } from '../../schema/ports/jobs.ts';
import { kindNames } from './kinds.ts';

/** Seconds since the oldest due job of each kind became due, read from the index of waiting jobs. */
const waitingTimes = `
  SELECT kind, extract(epoch FROM now() - due)::float AS seconds
  FROM unnest($1::text[]) AS kind,
    LATERAL (
      SELECT min(start_after) AS due FROM pgboss.job WHERE name = kind AND state < 'active'
    ) AS oldest
  WHERE due <= now()`;

/** The unfinished jobs of each kind, also of kinds without any; the counts are seconds old. */
export async function unfinishedJobs(boss: PgBoss): Promise<readonly UnfinishedJobs[]> {
  const [queues, { rows }] = await Promise.all([
    boss.getQueues([...kindNames]),
    boss.getDb().executeSql(waitingTimes, [[...kindNames]]),
  ]);
  const times = new Map<string, number>(rows.map(({ kind, seconds }) => [kind, seconds]));
  return queues.map(({ name, queuedCount, activeCount }) => ({
    kind: name as JobKind,
    count: queuedCount + activeCount,
    waitingSeconds: times.get(name) ?? null,
  }));
}

/** A retry after a failure may wait for hours. */
const soonWaiting = `
  SELECT 1 FROM pgboss.job
  WHERE name = $1 AND state < 'active' AND start_after < now() + interval '1 minute'
    AND data @> $2::jsonb
  LIMIT 1`;

/** Whether a job with this payload waits to be run soon. */
export async function isWaiting(
  kind: JobKind,
  payload: object,
  transaction: Transaction,
): Promise<boolean> {
  const rows = await transaction.$queryRawUnsafe<unknown[]>(
    soonWaiting,
    kind,
    JSON.stringify(payload),
  );
  return rows.length > 0;
}
