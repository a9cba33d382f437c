import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';

/** Running work, such as a request. */
export interface Activity {
  /** By `performance.now()`. */
  readonly start: number;
  /** Its kind, e.g. `GET /api/v4/projects/:id`, without values from the request, which may be secret. */
  readonly name: () => string;
}

export type EventLoopWatch = ReturnType<typeof watchEventLoop>;

interface EventLoopOptions {
  readonly log: Pick<Logger, 'warn'>;
  readonly registry: Registry;
  /** False stops the watching. */
  readonly isWatched: () => boolean;
  /** Milliseconds; a shorter stall is not logged. */
  readonly shortestMs?: number;
}

const lookEveryMs = 50;
const mostEnded = 1000;
const mostNamed = 5;

/**
 * Logs and counts each stall of the event loop, with the requests that were running. JavaScript does
 * not reveal which of them blocked it, so all unfinished ones are listed, latest first: on a quiet
 * server the first is the cause, on a busy one it is among them. Jobs of the queue are not listed.
 */
export function watchEventLoop({ log, registry, isWatched, shortestMs = 250 }: EventLoopOptions) {
  const running = new Set<Activity>();
  // the blocking request may end before the timer fires
  let ended: Activity[] = [];
  const stalls = new Counter({
    name: 'millrace_event_loop_stalls_total',
    help: `Times that the event loop was blocked for more than ${shortestMs} ms`,
    registers: [registry],
  });
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const stalledMs = Math.round(now - last - lookEveryMs);
    last = now;
    if (stalledMs > shortestMs) {
      stalls.inc();
      const underWay = namesOf([...running, ...ended], now);
      log.warn({ stalledMs, underWay }, 'the event loop was blocked');
    }
    if (ended.length > 0) ended = [];
    if (!isWatched()) clearInterval(timer);
  }, lookEveryMs);
  timer.unref();
  return {
    begin: (activity: Activity) => {
      running.add(activity);
    },
    end: (activity: Activity) => {
      if (running.delete(activity) && ended.length < mostEnded) ended.push(activity);
    },
  };
}

/** Groups activities by name, with their number and the running time of the latest. */
function namesOf(activities: readonly Activity[], now: number) {
  const latest = new Map<string, { count: number; startedMsAgo: number }>();
  for (const { name, start } of activities) {
    const startedMsAgo = Math.round(now - start);
    const entry = latest.get(name());
    latest.set(name(), {
      count: (entry?.count ?? 0) + 1,
      startedMsAgo: Math.min(entry?.startedMsAgo ?? startedMsAgo, startedMsAgo),
    });
  }
  return [...latest]
    .map(([name, entry]) => ({ name, ...entry }))
    .sort((a, b) => a.startedMsAgo - b.startedMsAgo)
    .slice(0, mostNamed);
}
