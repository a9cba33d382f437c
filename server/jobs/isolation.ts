import pLimit from 'p-limit';

/** Milliseconds after which a running job is no longer waited for, so that a long one blocks nothing. */
const settledAfter = 60_000;

/** Isolates suspects from all other jobs of this process, and from each other. */
export function jobIsolation() {
  const recent = new Set<symbol>();
  const turns = pLimit(1);
  let gate: Promise<void> | null = null;
  let quiet: PromiseWithResolvers<void> | null = null;

  const begin = () => {
    const job = Symbol();
    recent.add(job);
    return () => {
      recent.delete(job);
      if (recent.size === 0) quiet?.resolve();
    };
  };
  const untilQuiet = async () => {
    if (recent.size === 0) return;
    quiet = Promise.withResolvers<void>();
    await quiet.promise;
  };
  const track = async <Result>(work: () => Promise<Result>, onSettled = () => {}) => {
    const end = begin();
    const settle = () => {
      end();
      onSettled();
    };
    const timer = setTimeout(settle, settledAfter);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      settle();
    }
  };

  return {
    /** Runs a job concurrently with others, once no suspect is waiting or has just started. */
    beside: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      while (gate) await gate;
      return track(work);
    },
    /**
     * Runs a suspect alone: waits until the other jobs have ended and holds back new ones. Jobs older
     * than a minute are not waited for, and after a minute alone others may start.
     */
    alone: <Result>(work: () => Promise<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        const turn = turns(async () => {
          const closed = Promise.withResolvers<void>();
          gate = closed.promise;
          await untilQuiet();
          const settled = Promise.withResolvers<void>();
          track(work, settled.resolve).then(resolve, reject);
          await settled.promise;
          gate = null;
          closed.resolve();
        });
        turn.catch(reject);
      }),
  };
}
