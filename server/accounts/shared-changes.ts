import { fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

/** Which users have changed, told by the workers of one start to each other. */
export interface SharedChanges {
  /** Adds a user, or `*` for all users. The other workers take it from then on. */
  add(userId: number | '*'): void;
  /** The users that have been added since the last call, also by this worker; `*` for all. */
  take(): readonly number[] | '*';
}

/** Bytes of a user's id; 0 stands for all users. */
const idSize = 4;
/** Bytes at which the file starts again. */
const longestFile = 2 ** 22;
/** Bytes read at once; who is further behind takes all users as changed. */
const mostRead = 4_096;

const nothing: readonly number[] = [];

/**
 * Opens the file by which workers of one machine tell each other of changes: a change that one has answered is
 * seen by the next request, whichever worker receives it. A look at the length takes a microsecond. The
 * notifications of PostgreSQL follow in any case, milliseconds later, for workers of other machines.
 */
export function openSharedChanges(path: string): SharedChanges {
  // each write is appended at once, whoever writes meanwhile
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
    take: () => {
      const { size } = fstatSync(file);
      if (size === position) return nothing;
      const start = position;
      position = size;
      const length = size - start;
      // negative where the file has started again
      if (length < 0 || length > mostRead) return '*';
      if (readSync(file, bytes, 0, length, start) < length) return '*';
      const ids = Array.from({ length: length / idSize }, (_, n) => bytes.readUInt32LE(n * idSize));
      return ids.includes(0) ? '*' : ids;
    },
  };
}
