import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing, readAt } from '../../disk/files.ts';
import { isSafeRef } from '../names.ts';
import { GitFailure } from '../process/run.ts';

/** The file of a reference has an id, or names another reference. */
const refText = /^(?:([0-9a-f]{40})|ref: ([^\0]+))$/;
const maxRefFileBytes = 2_048;

/** The content of the file of a reference; null if there is none. */
async function readRefFile(path: string): Promise<string | null> {
  // a packed reference may have a longer name than a file
  const stats = await orMissing(stat(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENAMETOOLONG') throw error;
    return null;
  });
  if (!stats?.isFile()) return null;
  const file = await orMissing(open(path));
  if (!file) return null;
  const bytes = await readAt(file, 0, maxRefFileBytes).finally(() => file.close());
  return bytes.toString('latin1');
}

/** References that name each other, as git follows them. */
const maxSteps = 5;

/**
 * Whether the file of a reference has no id, as after a power failure, or leads to itself. Git warns of it and
 * ignores it.
 */
export async function isDamagedRef(folder: string, ref: string): Promise<boolean> {
  let name = ref;
  for (let step = 0; step < maxSteps; step += 1) {
    const text = (await readRefFile(join(folder, name)))?.trimEnd();
    if (text === undefined) return false;
    const [isRef, , target] = refText.exec(text) ?? [];
    if (isRef === undefined) return true;
    if (target === undefined || !isSafeRef(target)) return false;
    name = target;
  }
  return true;
}

/** Git writes at least a header into this file, and takes an empty one for one without references. */
export const hasEmptyPackedRefs = async (folder: string): Promise<boolean> =>
  (await orMissing(stat(join(folder, 'packed-refs'))))?.size === 0;

/** Throws if the files of references are damaged in a way that git reads as none. */
export async function requirePackedRefs(folder: string): Promise<void> {
  if (await hasEmptyPackedRefs(folder)) throw new GitFailure('packed-refs', 'the file is empty');
}

/** Throws if a reference that git does not find is damaged. */
export async function requireAbsent(folder: string, ref: string): Promise<void> {
  await requirePackedRefs(folder);
  if (await isDamagedRef(folder, ref)) throw new GitFailure('refs', `${ref} is damaged`);
}
