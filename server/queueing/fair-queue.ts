import { groupQueue, type QueueLimits } from './group-queue.ts';

/** A queue whose callers are all of one group. */
interface FairQueueOptions extends Pick<QueueLimits, 'waiting' | 'waitingPerCaller' | 'waitLimit'> {
  /** Entries that run concurrently. */
  readonly running: number;
  /** Entries of one caller that run concurrently. */
  readonly runningPerCaller: number;
}

export type FairQueue = ReturnType<typeof fairQueue>;

/** A bounded queue that serves its callers round-robin, so that one of them cannot delay all others. */
export function fairQueue({ running, runningPerCaller, ...waiting }: FairQueueOptions) {
  const limits = {
    ...waiting,
    most: running,
    guaranteed: 0,
    perCaller: runningPerCaller,
    weight: 1,
  };
  const queue = groupQueue({ places: running, limitsOf: () => limits });
  return {
    ...queue,
    /** Waits for a turn and returns the function that ends it; throws as `admit` does. */
    enter: async (caller: string, signal?: AbortSignal | null): Promise<() => void> => {
      const entrant = { group: 'all', caller, shares: [] };
      return (await queue.admit({ current: [entrant] }, signal)).leave;
    },
  };
}
