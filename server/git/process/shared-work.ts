import { SharedCallers } from '../../scheduling/scope.ts';

interface Work<Result> {
  readonly result: Promise<Result>;
  readonly callers: SharedCallers;
  readonly controller: AbortController;
  waiting: number;
}

type Start<Result> = (signal: AbortSignal) => Promise<Result>;

/** Runs identical work of concurrent callers once; aborts it when all callers have disconnected. */
export function sharedWork<Result>() {
  const running = new Map<string, Work<Result>>();

  const begin = (key: string, start: Start<Result>): Work<Result> => {
    const controller = new AbortController();
    const callers = new SharedCallers(controller.signal);
    const result = callers
      .run(() => start(controller.signal))
      .finally(() => {
        if (running.get(key) === work) running.delete(key);
      });
    const work: Work<Result> = { result, callers, controller, waiting: 0 };
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
    work.callers.join();
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

interface Repeated<Result> {
  readonly result: Promise<Result>;
  readonly callers: SharedCallers;
}

/**
 * Runs identical work of concurrent callers once, for results that change: a call during a run
 * waits for one further run, shared by all such callers. So no caller gets a result older than its
 * call, and one run per key is active at a time.
 */
export function repeatedWork<Result>() {
  const running = new Map<string, Repeated<Result>>();
  const next = new Map<string, Repeated<Result>>();

  const begin = (key: string, callers: SharedCallers, start: () => Promise<Result>) => {
    next.delete(key);
    const result = callers.run(start).finally(() => running.delete(key));
    running.set(key, { result, callers });
    return result;
  };

  return (key: string, start: () => Promise<Result>): Promise<Result> => {
    const current = running.get(key);
    const joined = next.get(key);
    // the run before may still wait for its turn, too
    current?.callers.join();
    joined?.callers.join();
    if (joined) return joined.result;
    const callers = new SharedCallers();
    if (!current) return begin(key, callers, start);
    const again = () => begin(key, callers, start);
    const result = current.result.then(again, again);
    next.set(key, { result, callers });
    return result;
  };
}
