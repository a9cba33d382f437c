import { randomUUID } from 'node:crypto';
import type { JobNews } from '../../schema/ports/job-news.ts';
import { QueueRefusal } from '../queueing/refusal.ts';
import { backgroundCaller } from '../scheduling/caller.ts';
import { type HolderLimits, heldPlaces } from '../scheduling/held-places.ts';
import { currentCaller } from '../scheduling/scope.ts';

/** Milliseconds; shorter than the usual timeout of proxies. */
const defaultMaxWaitMs = 50_000;

/** Requests that wait at a time; further ones get their response at once, and come again a little later. */
export const runnerWaits: HolderLimits = { total: 2_000, perUser: 500, perAddress: 500 };

interface News extends JobNews {
  /** Called when the database notifies of a job, or may have. */
  changed(): void;
  /** Ends all waits; later calls do not wait. */
  stop(): void;
}

/** A long poll for runners, based on a counter of this process; values of other processes never wait. */
export function jobNews(
  maxWaitMs: number = defaultMaxWaitMs,
  limits: HolderLimits = runnerWaits,
): News {
  const process = randomUUID();
  let count = 0;
  let isOver = false;
  const waiting = new Set<() => void>();
  const places = heldPlaces(limits);
  const takePlace = (end: () => void) => {
    try {
      return places.take(currentCaller() ?? backgroundCaller(), end);
    } catch (error) {
      if (error instanceof QueueRefusal) return null;
      throw error;
    }
  };
  const current = () => `${process}-${count}`;
  const releaseAll = () => {
    for (const release of [...waiting]) release();
  };

  return {
    get current() {
      return current();
    },
    otherThan: (seen, signal) =>
      new Promise((resolve) => {
        if (isOver || seen !== current() || signal?.aborted) return resolve();
        const leave = takePlace(() => release());
        if (!leave) return resolve();
        const release = () => {
          leave();
          clearTimeout(timer);
          waiting.delete(release);
          signal?.removeEventListener('abort', release);
          resolve();
        };
        const timer = setTimeout(release, maxWaitMs);
        waiting.add(release);
        signal?.addEventListener('abort', release);
      }),
    changed: () => {
      count += 1;
      releaseAll();
    },
    stop: () => {
      isOver = true;
      releaseAll();
    },
  };
}
