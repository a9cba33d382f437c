import { fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

/** The users that have changed, as the workers of one start share them. */
export interface SharedChanges {
  /** Adds a user, or `*` for all users; every worker reads it with its next call. */
  add(userId: number | '*'): void;
  /** The users that were added since the last call, also by this worker; `*` for all. */
  readAdded(): readonly number[] | '*';
}

/** Bytes of a user's id; 0 stands for all users. */
const idSize = 4;
/** Bytes at which the file starts again. */
const longestFile = 2 ** 22;
/** Bytes read at once; a worker that is further behind treats all users as changed. */
const mostRead = 4_096;

const nothing: readonly number[] = [];

/**
 * Opens the file in which the workers of one machine share changes. A change applies to the next request
 * after the response, whichever worker receives it. Comparing the length takes a microsecond. The
 * notifications of PostgreSQL follow in any case, milliseconds later, for workers of other machines.
 */
export function openSharedChanges(path: string): SharedChanges {
  // appended whole, beside concurrent writes of other workers
  const file = openSync(path, 'a+');
  const record = Buffer.alloc(idSize);
  const bytes = Buffer.alloc(mostRead);
  let position = fstatSync(file).size;
  return {
    add: (userId) => {
      record.writeUInt32LE(userId === '*' ? 0 : userId);
      try {
        writeSync(file, record);
        if (fstatSync(file).size > longestFile) ftruncateSync(file, 0);
      } catch {
        // the disk is full: the notification remains
      }
    },
    readAdded: () => {
      const { size } = fstatSync(file);
      if (size === position) return nothing;
      const start = position;
      position = size;
      const length = size - start;
      // negative after the file was truncated
      if (length < 0 || length > mostRead) return '*';
      if (readSync(file, bytes, 0, length, start) < length) return '*';
      const ids = Array.from({ length: length / idSize }, (_, n) => bytes.readUInt32LE(n * idSize));
      return ids.includes(0) ? '*' : ids;
    },
  };
}
