import { basename } from 'node:path';
import { itemsOf } from './archive-reader.ts';
import { comparePaths, type Item } from './format.ts';

/** Finds items of a former backup; paths must be asked for in the order of an archive. */
export interface Base {
  /** The item with unchanged content, or null. */
  unchanged(path: string, state: string): Promise<Item | null>;
  /** Reads the rest: throws if the former backup is damaged. */
  finish(): Promise<void>;
}

/** No former backup: all is new. */
export const noBase: Base = {
  unchanged: async () => null,
  finish: async () => {},
};

/** The backup in `file`, read once from its start to its end beside the work that asks. */
export function baseOf(file: string): Base {
  const items = itemsOf(file);
  let next: Item | null | undefined;
  const advance = async () => {
    const { done, value } = await items.next().catch((error: Error) => {
      throw new Error(`The earlier backup ${basename(file)} cannot be used: ${error.message}`, {
        cause: error,
      });
    });
    next = done ? null : value;
  };
  return {
    unchanged: async (path, state) => {
      if (next === undefined) await advance();
      while (next && comparePaths(next.path, path) < 0) await advance();
      if (next?.path !== path) return null;
      const isUsable = next.state === state && !next.isDeleted && next.fault === undefined;
      return isUsable ? next : null;
    },
    finish: async () => {
      if (next === undefined) await advance();
      while (next) await advance();
    },
  };
}
