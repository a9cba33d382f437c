/**
 * Collects the failures of a job with several parts, so that one does not stop the others: the job is
 * repeated for those that failed, and changes nothing for the rest.
 */
export function attempts(signal: AbortSignal) {
  const failures: unknown[] = [];
  return {
    /** Does the work for each item. Throws only if the job is aborted. */
    each: async <Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>) => {
      for (const item of items) {
        signal.throwIfAborted();
        try {
          await work(item);
        } catch (error) {
          signal.throwIfAborted();
          failures.push(error);
        }
      }
    },
    /** Throws the first failure, if there was one. */
    end: (): void => {
      if (failures.length > 0) throw failures[0];
    },
  };
}
