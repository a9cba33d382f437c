interface FairQueueOptions {
  /** Entries that run concurrently. */
  readonly running: number;
  /** Entries of one caller that run concurrently. */
  readonly runningPerCaller: number;
  /** Entries that wait. */
  readonly waiting: number;
  /** Entries of one caller that wait. */
  readonly waitingPerCaller: number;
  /** Milliseconds after which a waiting entry is refused. */
  readonly waitLimit: number;
}

/** Why an entry was not admitted. */
export class QueueRefusal extends Error {
  /** Whether the caller's own limit was reached, rather than the total. */
  readonly isCallerFull: boolean;

  constructor(message: string, isCallerFull = false) {
    super(message);
    this.isCallerFull = isCallerFull;
  }
}

export type FairQueue = ReturnType<typeof fairQueue>;

interface Entry {
  admit(): void;
  refuse(reason: unknown): void;
}

/** A bounded queue that serves its callers round-robin, so that one of them cannot delay all others. */
export function fairQueue(options: FairQueueOptions) {
  // a Map keeps insertion order: a served caller moves to the end
  const waiting = new Map<string, Entry[]>();
  const running = new Map<string, number>();
  let [runningCount, waitingCount, isClosed] = [0, 0, false];

  const isCallerFull = (caller: string) => (running.get(caller) ?? 0) >= options.runningPerCaller;
  const canRun = (caller: string) => runningCount < options.running && !isCallerFull(caller);

  const start = (caller: string) => {
    runningCount += 1;
    running.set(caller, (running.get(caller) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      runningCount -= 1;
      const left = (running.get(caller) ?? 1) - 1;
      if (left === 0) running.delete(caller);
      else running.set(caller, left);
      admitNext();
    };
  };

  const remove = (caller: string, entry: Entry) => {
    const entries = waiting.get(caller)?.filter((other) => other !== entry) ?? [];
    waiting.delete(caller);
    if (entries.length > 0) waiting.set(caller, entries);
    waitingCount -= 1;
  };

  function admitNext(): void {
    for (const [caller, [entry]] of waiting) {
      if (!entry || !canRun(caller)) continue;
      remove(caller, entry);
      entry.admit();
      return;
    }
  }

  return {
    /**
     * Waits for a turn and returns the function that ends it. Throws `QueueRefusal` when the queue is
     * full, the wait takes too long or the queue is closed, and the reason of an aborted `signal`.
     */
    enter: async (caller: string, signal?: AbortSignal): Promise<() => void> => {
      signal?.throwIfAborted();
      if (isClosed) throw new QueueRefusal('closed');
      if (canRun(caller)) return start(caller);
      const own = waiting.get(caller) ?? [];
      if (waitingCount >= options.waiting) throw new QueueRefusal('full');
      if (own.length >= options.waitingPerCaller) {
        throw new QueueRefusal('full for this caller', true);
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const entry: Entry = { admit: () => resolve(start(caller)), refuse: reject };
      waiting.set(caller, [...own, entry]);
      waitingCount += 1;
      const giveUp = (reason: unknown) => {
        // admitted in the same turn of the event loop
        if (!waiting.get(caller)?.includes(entry)) return;
        remove(caller, entry);
        entry.refuse(reason);
      };
      const onAbort = () => giveUp(signal?.reason);
      const timer = setTimeout(
        () => giveUp(new QueueRefusal('waited too long', isCallerFull(caller))),
        options.waitLimit,
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      }
    },
    /** Refuses all waiting and later entries. */
    close: () => {
      isClosed = true;
      const entries = [...waiting.values()].flat();
      waiting.clear();
      waitingCount = 0;
      for (const { refuse } of entries) refuse(new QueueRefusal('closed'));
    },
    running: () => runningCount,
    waiting: () => waitingCount,
  };
}
