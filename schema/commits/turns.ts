/** The last one waiting for each thing. */
const last = new Map<string, Promise<unknown>>();

/**
 * Does `work` when those before it at the same thing are done. In this process only: it spares
 * writers of one branch from overtaking each other, who is right is told by the reference itself.
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
