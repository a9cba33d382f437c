import { createHash } from 'node:crypto';
import git from 'isomorphic-git';
import { objectFiles } from './object-files.ts';

/** An object that is to be written, and the id it will have. */
export interface NewObject {
  readonly id: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly content: Buffer;
}

/** Each waits for the disk: that many wait together. */
const AT_ONCE = 16;

export const newObject = (type: NewObject['type'], content: Buffer): NewObject => ({
  id: createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex'),
  type,
  content,
});

/** Writes objects as they are, byte for byte; when it is done, they are on the disk. */
export async function writeObjects(gitdir: string, objects: Iterable<NewObject>): Promise<void> {
  // one iterator for all of them: each takes the next when it is done with one
  const left = objects[Symbol.iterator]();
  const writer = async () => {
    for (const { id, type, content } of { [Symbol.iterator]: () => left }) {
      const written = await git.writeObject({
        fs: objectFiles,
        gitdir,
        type,
        object: content,
        format: 'content',
      });
      if (written !== id) throw new Error(`Object ${id} was written as ${written}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
}
