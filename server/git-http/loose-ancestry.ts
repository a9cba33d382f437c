import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

const maxSteps = 32;
const maxCommitBytes = 64 * 1024;

/**
 * Whether `before` is among the first parents of `after`, by reading the few loose commits of a
 * small push: the common case, without a git process. False means unknown.
 */
export async function isLooseFastForward(quarantine: string, before: string, after: string) {
  let sha = after;
  for (let step = 0; step < maxSteps; step += 1) {
    const parent = await firstParent(quarantine, sha);
    if (parent === null) return false;
    if (parent === before) return true;
    sha = parent;
  }
  return false;
}

async function firstParent(objects: string, sha: string): Promise<string | null> {
  try {
    const deflated = await readFile(join(objects, sha.slice(0, 2), sha.slice(2)));
    const text = inflateSync(deflated, { maxOutputLength: maxCommitBytes }).toString('latin1');
    return /^commit \d+\0tree [0-9a-f]{40}\nparent ([0-9a-f]{40})\n/.exec(text)?.[1] ?? null;
  } catch {
    // packed, or not a small commit: the caller runs git
    return null;
  }
}
