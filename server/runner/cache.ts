import { createHash } from 'node:crypto';
import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobCache } from './job.ts';
import type { JobContext } from './job-context.ts';
import { pack } from './pack.ts';
import { selectFiles } from './selection.ts';
import { unpack } from './unpack.ts';
import { expandText } from './variables.ts';

/** The path of a cache, derived from its project and key. */
function placeOf(cache: JobCache, { job, variables, cacheFolder }: JobContext) {
  const key = expandText(cache.key || 'default', variables) || 'default';
  const name = createHash('sha256').update(key).digest('hex');
  const folder = join(cacheFolder, String(job.job_info.project_id));
  return { key, folder, path: join(folder, `${name}.zip`) };
}

/** Unpacks an earlier job's cache. Failures are ignored. */
export async function fetchCaches(work: JobContext): Promise<void> {
  for (const cache of work.job.cache.filter(({ policy }) => policy !== 'push')) {
    const { key, path } = placeOf(cache, work);
    if ((await lstat(path).catch(() => null)) === null) {
      work.say(`There is no cache ${key} yet`);
      continue;
    }
    try {
      const count = await unpack(path, work.folder.source, work.signal);
      work.say(`Unpacked ${count} files of the cache ${key}`);
    } catch (error) {
      work.signal.throwIfAborted();
      work.warn(`The cache ${key} cannot be unpacked: ${(error as Error).message}`);
      await rm(path, { force: true });
    }
  }
}

/** Packs the cache for later jobs; replaces an earlier one of the same key. Failures are ignored. */
export async function keepCaches(work: JobContext): Promise<void> {
  for (const cache of work.job.cache.filter(({ policy }) => policy !== 'pull')) {
    try {
      await keep(cache, work);
    } catch (error) {
      work.signal.throwIfAborted();
      work.warn(`The cache could not be saved: ${(error as Error).message}`);
    }
  }
}

async function keep(cache: JobCache, work: JobContext): Promise<void> {
  const wanted = { paths: cache.paths, isUntracked: cache.untracked === true };
  const { source } = work.folder;
  const { paths, complaints } = await selectFiles(wanted, { ...work, source });
  for (const complaint of complaints) work.warn(complaint);
  if (paths.length === 0) return;
  const { key, folder, path } = placeOf(cache, work);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${work.job.id}`;
  try {
    const count = await pack(source, paths, temporary, work.signal);
    await rename(temporary, path);
    work.say(`Packed ${count} files as the cache ${key}`);
  } finally {
    await rm(temporary, { force: true });
  }
}
