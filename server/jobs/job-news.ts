import { randomUUID } from 'node:crypto';
import type { JobNews } from '../../schema/ports/job-news.ts';

/** Milliseconds; shorter than what proxies usually wait for an answer. */
const usualWait = 50_000;

export interface News extends JobNews {
  /** The database told of a job, or may have. */
  changed(): void;
  /** Lets everybody go who waits, and nobody wait from now on. */
  stop(): void;
}

/** What runners are told, counted by this process; of another process's count it tells nothing. */
export function jobNews(longestWait: number = usualWait): News {
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
        const timer = setTimeout(release, longestWait);
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
