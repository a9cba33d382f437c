interface Work<Result> {
  readonly result: Promise<Result>;
  readonly controller: AbortController;
  waiting: number;
}

type Start<Result> = (signal: AbortSignal) => Promise<Result>;

/** Runs identical work of concurrent callers once; aborts it when all callers have disconnected. */
export function sharedWork<Result>() {
  const running = new Map<string, Work<Result>>();

  const begin = (key: string, start: Start<Result>): Work<Result> => {
    const controller = new AbortController();
    const result = start(controller.signal).finally(() => {
      if (running.get(key) === work) running.delete(key);
    });
    const work: Work<Result> = { result, controller, waiting: 0 };
    running.set(key, work);
    // all callers may have aborted
    result.catch(() => {});
    return work;
  };

  return (
    key: string,
    signal: AbortSignal | null | undefined,
    start: Start<Result>,
  ): Promise<Result> => {
    signal?.throwIfAborted();
    const work = running.get(key) ?? begin(key, start);
    work.waiting += 1;
    if (!signal) return work.result;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        work.waiting -= 1;
        if (work.waiting === 0) {
          // do not join work that is being aborted
          if (running.get(key) === work) running.delete(key);
          work.controller.abort();
        }
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      work.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  };
}

/**
 * Runs identical work of concurrent callers once, for results that change: a call during a run
 * waits for one further run, shared by all such callers. So no caller gets a result older than its
 * call, and one run per key is active at a time.
 */
export function repeatedWork<Result>() {
  const running = new Map<string, Promise<Result>>();
  const next = new Map<string, Promise<Result>>();

  const begin = (key: string, start: () => Promise<Result>): Promise<Result> => {
    next.delete(key);
    const work = start().finally(() => running.delete(key));
    running.set(key, work);
    return work;
  };

  return (key: string, start: () => Promise<Result>): Promise<Result> => {
    const joined = next.get(key);
    if (joined) return joined;
    const current = running.get(key);
    if (!current) return begin(key, start);
    const again = () => begin(key, start);
    const work = current.then(again, again);
    next.set(key, work);
    return work;
  };
}
