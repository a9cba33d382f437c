import { createWriteStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { itemsOf, readDescription } from './archive-reader.ts';
import type { Description, Item } from './format.ts';

/** An archive with its description. */
export interface Archive {
  readonly file: string;
  readonly description: Description;
}

/** A backup with those that it is based on, newest first. */
export type Chain = readonly [Archive, ...Archive[]];

/** Incremental backups that may follow each other. */
const maxChain = 1_000;

/** The description of the backup in `file`. */
export const readBackup = (file: string): Promise<Description> =>
  readDescription(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new Error(`There is no backup ${file}.`);
  });

/** The backup in `file` and those that it is based on, which are in the same folder; newest first. */
export async function readChain(file: string): Promise<Chain> {
  const newest = { file, description: await readBackup(file) };
  const chain: [Archive, ...Archive[]] = [newest];
  for (let base = newest.description.base; base; ) {
    const next = join(dirname(file), base.file);
    const description = await readDescription(next).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new Error(`The backup needs ${base?.file}: put it into the same folder.`);
    });
    if (description.id !== base.id) {
      throw new Error(`${base.file} is not the backup that this one was made against.`);
    }
    chain.push({ file: next, description });
    if (chain.length > maxChain) throw new Error('The backups are based on each other.');
    base = description.base;
  }
  return chain;
}

/**
 * Compares all parts of the backups with their checksums. `onItem` is called for each item of the newest,
 * which is what the chain contains; with `index`, these items are written to a file with that path.
 */
export async function verifyChain(
  chain: Chain,
  onItem: (item: Item) => void,
  index: string | null = null,
): Promise<void> {
  const [newest, ...bases] = chain;
  async function* lines() {
    for await (const item of itemsOf(newest.file)) {
      onItem(item);
      yield `${JSON.stringify(item)}\n`;
    }
  }
  if (index !== null) await pipeline(Readable.from(lines()), createWriteStream(index));
  else for await (const _ of lines());
  for (const { file } of bases) {
    try {
      for await (const _ of itemsOf(file));
    } catch (error) {
      throw new Error(`${basename(file)}: ${(error as Error).message}`);
    }
  }
}
