import { randomUUID } from 'node:crypto';
import type { JobNews } from '../../schema/ports/job-news.ts';

/** Milliseconds; shorter than the usual timeout of proxies. */
const defaultMaxWaitMs = 50_000;

interface News extends JobNews {
  /** Called when the database notifies of a job, or may have. */
  changed(): void;
  /** Ends all waits; later calls do not wait. */
  stop(): void;
}

/** A long poll for runners, based on a counter of this process; values of other processes never wait. */
export function jobNews(maxWaitMs: number = defaultMaxWaitMs): News {
  const process = randomUUID();
  let count = 0;
  let isOver = false;
  const waiting = new Set<() => void>();
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
        const release = () => {
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
