import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import { syncFolder, writeObjectFile } from './object-files.ts';

/** An object to write, with its id. */
export interface NewObject {
  readonly id: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly content: Buffer;
}

/** Each write waits for an fsync. */
const maxConcurrentWrites = 16;

const pressed = promisify(deflate);

const headOf = (type: NewObject['type'], content: Buffer) => `${type} ${content.length}\0`;

export const newObject = (type: NewObject['type'], content: Buffer): NewObject => ({
  id: createHash('sha1').update(headOf(type, content)).update(content).digest('hex'),
  type,
  content,
});

/** Writes loose objects; they are synced when the promise resolves. */
export async function writeObjects(gitdir: string, objects: Iterable<NewObject>): Promise<void> {
  const folders = new Set<string>();
  await eachOf(objects, async ({ id, type, content }) => {
    const path = join(gitdir, 'objects', id.slice(0, 2), id.slice(2));
    const whole = Buffer.concat([Buffer.from(headOf(type, content)), content]);
    await writeObjectFile(path, await pressed(whole, { level: constants.Z_BEST_SPEED }));
    folders.add(dirname(path));
  });
  await eachOf(folders, syncFolder);
}

/** Writes loose object files that git created elsewhere: `12/3456…` and its bytes. */
export async function writeObjectFiles(
  gitdir: string,
  files: Iterable<readonly [name: string, bytes: Buffer]>,
): Promise<void> {
  const folders = new Set<string>();
  await eachOf(files, async ([name, bytes]) => {
    const path = join(gitdir, 'objects', name);
    await writeObjectFile(path, bytes);
    folders.add(dirname(path));
  });
  await eachOf(folders, syncFolder);
}

async function eachOf<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>) {
  // the workers share one iterator
  const left = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of { [Symbol.iterator]: () => left }) await work(item);
  };
  await Promise.all(Array.from({ length: maxConcurrentWrites }, worker));
}
