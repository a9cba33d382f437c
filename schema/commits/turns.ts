/** The last queued work for each key. */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs `work` after all earlier work for the same key. In this process only: it reduces conflicts
 * between writers of one branch, while the reference update itself detects them.
 */
export async function inTurn<T>(thing: string, work: () => Promise<T>): Promise<T> {
  const own = (last.get(thing) ?? Promise.resolve()).then(work);
  const done = own.catch(() => undefined);
  last.set(thing, done);
  try {
    return await own;
  } finally {
    if (last.get(thing) === done) last.delete(thing);
  }
}
