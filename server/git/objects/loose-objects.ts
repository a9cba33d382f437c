import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import pLimit from 'p-limit';
import { syncPath } from '../../disk/files.ts';
import { writeObjectFile } from './object-files.ts';

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
export const writeObjects = (gitdir: string, objects: Iterable<NewObject>): Promise<void> =>
  writeAll(gitdir, objects, async ({ id, type, content }) => {
    const whole = Buffer.concat([Buffer.from(headOf(type, content)), content]);
    const bytes = await pressed(whole, { level: constants.Z_BEST_SPEED });
    return [join(id.slice(0, 2), id.slice(2)), bytes];
  });

type ObjectFile = readonly [name: string, bytes: Buffer];

/** Writes loose object files that git created elsewhere: `12/3456…` and its bytes. */
export const writeObjectFiles = (gitdir: string, files: Iterable<ObjectFile>): Promise<void> =>
  writeAll(gitdir, files, async (file) => file);

async function writeAll<Item>(
  gitdir: string,
  items: Iterable<Item>,
  fileOf: (item: Item) => Promise<ObjectFile>,
): Promise<void> {
  const folders = new Set<string>();
  const turn = pLimit(maxConcurrentWrites);
  await turn.map(items, async (item) => {
    const [name, bytes] = await fileOf(item);
    const path = join(gitdir, 'objects', name);
    await writeObjectFile(path, bytes);
    folders.add(dirname(path));
  });
  await turn.map(folders, syncPath);
}
