/** The last queued work for each key. */
const lastByKey = new Map<string, Promise<unknown>>();

/**
 * Runs `work` after all earlier work for the same key. In this process only: it reduces conflicts
 * between writers of one branch, while the reference update itself detects them.
 */
export async function runInTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const result = (lastByKey.get(key) ?? Promise.resolve()).then(work);
  const done = result.catch(() => undefined);
  lastByKey.set(key, done);
  try {
    return await result;
  } finally {
    if (lastByKey.get(key) === done) lastByKey.delete(key);
  }
}
