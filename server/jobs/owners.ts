import { LRUCache } from 'lru-cache';
import type { PgBoss } from 'pg-boss';
import { tally } from '../queueing/pool.ts';
import { currentCaller } from '../scheduling/scope.ts';

/**
 * Who causes the jobs that are enqueued now: the user of the request, or the owner of the job that enqueues others.
 * Null for anonymous callers, such as runners, and the service itself: their jobs belong to projects only.
 */
export function currentOwner(): string | null {
  const caller = currentCaller();
  return caller && caller.class !== 'anonymous' ? caller.key : null;
}

/** Seconds between the jobs that an owner enqueues at the same time, and the most that one is put back. */
const [spacing, mostSpacing] = [1, 600];
const maxOwners = 10_000;
const epoch = Date.UTC(2020) / 1000;

/**
 * Gives the priorities of jobs. A job that follows others of its owner counts as enqueued a second after the previous one:
 * so the first job of one owner does not wait for hundreds of another one.
 */
export function jobPriorities() {
  const latest = new LRUCache<string, number>({ max: maxOwners });
  return (kind: string, owner: string): number => {
    const key = `${kind} ${owner}`;
    const now = Date.now() / 1000 - epoch;
    const next = Math.max(now, (latest.get(key) ?? 0) + spacing);
    const time = Math.min(next, now + mostSpacing);
    latest.set(key, time);
    return -Math.round(time);
  };
}

/**
 * The running jobs of each owner and each group in the workers of a kind: all leave some to others. The queue limits
 * groups itself, but not if several workers fetch at the same time.
 */
export function ownerShares(workers: number, groupLimit: number) {
  const most = Math.max(1, workers - Math.ceil(workers / 4));
  const running = tally();
  const groups = tally();
  const owners = new Set<string>();
  return {
    /** The owners that have their share, with the number of jobs that the queue may start for them: none. */
    get full(): Readonly<Record<string, 0>> {
      const full = [...owners].filter((owner) => running.of(owner) >= most);
      return Object.fromEntries(full.map((owner) => [owner, 0]));
    },
    /** Counts a job; gives what ends it, or null if its owner or its group has its share. */
    begin: (owner: string | null, group: string): (() => void) | null => {
      if (groups.of(group) >= groupLimit) return null;
      if (owner !== null && running.of(owner) >= most) return null;
      groups.add(group, 1);
      if (owner !== null) {
        running.add(owner, 1);
        owners.add(owner);
      }
      return () => {
        groups.add(group, -1);
        if (owner === null) return;
        running.add(owner, -1);
        if (running.of(owner) === 0) owners.delete(owner);
      };
    },
  };
}

/**
 * As before the job was fetched: this was no attempt. With another id, as the queue completes what the worker has
 * returned, and another worker may have started the job again by then.
 */
const undoFetch = `
  WITH returned AS (
    UPDATE pgboss.job SET
      id = gen_random_uuid(),
      state = (CASE WHEN retry_count > 0 THEN 'retry' ELSE 'created' END)::pgboss.job_state,
      started_on = CASE WHEN retry_count > 0 THEN started_on END,
      retry_count = greatest(retry_count - 1, 0),
      heartbeat_on = NULL,
      -- not at once again
      start_after = now() + interval '1 second'
    WHERE name = $1 AND id = $2::uuid AND state = 'active'
    RETURNING id
  )
  UPDATE interrupted_jobs SET job_id = returned.id FROM returned WHERE job_id = $2::uuid`;

/** Returns a job to the queue that a worker has fetched, as several workers fetch at the same time. */
export async function returnToQueue(boss: PgBoss, kind: string, id: string): Promise<void> {
  await boss.getDb().executeSql(undoFetch, [kind, id]);
}
