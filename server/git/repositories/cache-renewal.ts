import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing } from '../../disk/files.ts';
import { ignorableKinds, listCaches } from '../process/cache-files.ts';
import { cachesAside, clearAside, pathAside } from '../process/cache-mending.ts';
import { verifyCaches } from '../process/cache-state.ts';
import { GitFailure } from '../process/run.ts';

/** Failures that no cache explains. */
const hasOtherReason = /already running|ended with null|\.lock'|No space left|quota exceeded/;

/** Whether caches of a repository were set aside and not made anew. */
export const hasCachesAside = async (folder: string): Promise<boolean> =>
  (await cachesAside(join(folder, 'objects'))).length > 0;

/**
 * Runs `work`, which writes the caches of a repository. Git reads the former ones for that: damaged ones
 * are set aside first, and all of them if `work` fails with them. What it then fails of is not a cache,
 * and they are put back.
 */
export async function renewCaches(folder: string, work: () => Promise<void>): Promise<void> {
  const objects = join(folder, 'objects');
  await verifyCaches(objects, true);
  let startedAt = Date.now();
  try {
    await work();
  } catch (error) {
    if (!(error instanceof GitFailure) || hasOtherReason.test(error.message)) throw error;
    startedAt = await workWithout(objects, work, error);
  }
  await clearAside(objects, startedAt);
}

async function workWithout(
  objects: string,
  work: () => Promise<void>,
  failure: GitFailure,
): Promise<number> {
  const files = (await listCaches(objects)).filter(({ kind }) => ignorableKinds.has(kind));
  if (files.length === 0) throw failure;
  const moved: (readonly [string, string])[] = [];
  for (const { path } of files) {
    const target = await pathAside(objects, path);
    await orMissing(rename(path, target).then(() => moved.push([path, target])));
  }
  const startedAt = Date.now();
  try {
    await work();
    return startedAt;
  } catch {
    for (const [path, target] of moved)
      if (!(await orMissing(stat(path)))) await orMissing(rename(target, path));
    throw failure;
  }
}
