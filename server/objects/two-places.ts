import { compareKeys, hasOneContent, type ListedObject, type ObjectStore } from './object-store.ts';

/**
 * Keeps new objects at `first`, and finds those that are still at `second`, while a command moves them.
 * An object at `first` hides one with the same key at `second`.
 */
export function twoPlaces(first: ObjectStore, second: ObjectStore): ObjectStore {
  /** Looks twice at `first`: an object may move there after the first look. */
  const find = async <T>(look: (place: ObjectStore) => Promise<T | null>): Promise<T | null> =>
    (await look(first)) ?? (await look(second)) ?? look(first);
  const removeFormer = async (key: string) => {
    if (!hasOneContent(key)) await second.remove(key);
  };
  return {
    put: async (key, file) => {
      await first.put(key, file);
      await removeFormer(key);
    },
    stage: async (key, file) => {
      const staged = await first.stage(key, file);
      const complete = async () => {
        await staged.complete();
        await removeFormer(key);
      };
      return { complete, abandon: staged.abandon };
    },
    open: (key, start) => find((place) => place.open(key, start)),
    size: (key) => find((place) => place.size(key)),
    copy: async (from, to) => {
      const copied = await find(async (place) => ((await place.copy(from, to)) ? place : null));
      if (!copied) return false;
      await (copied === first ? removeFormer(to) : first.remove(to));
      return true;
    },
    // first where a move takes it from: what has arrived before is removed after it
    remove: async (key) => {
      await second.remove(key);
      await first.remove(key);
    },
    removeAll: async (prefix) => {
      await second.removeAll(prefix);
      await first.removeAll(prefix);
    },
    list: (prefix, after) => merged(first.list(prefix, after), second.list(prefix, after)),
    downloadUrl: async (key, as) =>
      (await first.downloadUrl(key, as)) ??
      ((await first.size(key)) === null ? second.downloadUrl(key, as) : null),
    locationOf: first.locationOf,
  };
}

/** Two listings as one; of equal keys the first. */
async function* merged(
  first: AsyncIterable<ListedObject>,
  second: AsyncIterable<ListedObject>,
): AsyncGenerator<ListedObject> {
  const others = second[Symbol.asyncIterator]();
  let other = await others.next();
  try {
    for await (const object of first) {
      while (!other.done && compareKeys(other.value.key, object.key) < 0) {
        yield other.value;
        other = await others.next();
      }
      if (!other.done && other.value.key === object.key) other = await others.next();
      yield object;
    }
    for (; !other.done; other = await others.next()) yield other.value;
  } finally {
    await others.return?.();
  }
}
