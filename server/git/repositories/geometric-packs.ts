import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncPath } from '../../disk/files.ts';
import { gitEnvironmentWith } from '../process/environment.ts';
import { GitFailure, runGit } from '../process/run.ts';
import { namesIn, type Pack, packFolder, packsIn } from './pack-files.ts';

/** A pack has at least this many times the objects of all smaller ones. */
const factor = 2;

/** Git's order: without its index a pack is not read. */
const extensions = ['idx', 'pack', 'rev'] as const;

/** Bounds of time and memory; a large file is stored without a search for similar ones. */
const environment = gitEnvironmentWith({
  'pack.threads': '1',
  'pack.windowMemory': '64m',
  'core.bigFileThreshold': '32m',
});

/** Packs that are joined, and the larger ones whose objects need not be packed again. */
interface Division {
  readonly joined: readonly Pack[];
  readonly left: readonly Pack[];
}

/** Packs without a bitmap, by which clones are fast, without times of unreachable objects, and not kept by git. */
export const joinablePacks = (packs: readonly Pack[]): readonly Pack[] =>
  packs.filter(
    ({ extensions }) => !['bitmap', 'mtimes', 'keep'].some((each) => extensions.has(each)),
  );

/** The smallest packs, so that afterwards each is large enough beside the smaller ones. */
function divide(packs: readonly Pack[], loose: number): Division {
  const joinable = joinablePacks(packs).toSorted(
    (one, other) => one.objects - other.objects || (one.name < other.name ? -1 : 1),
  );
  const sizes = joinable.map(({ objects }) => objects);
  // up to the last one that is not large enough beside the one before
  let count = sizes.findLastIndex((size, at) => size < factor * (sizes[at - 1] ?? 0)) + 1;
  let sum = sizes.slice(0, count).reduce((total, size) => total + size, loose);
  for (; count < sizes.length && (sizes[count] ?? 0) < factor * sum; count += 1)
    sum += sizes[count] ?? 0;
  const covered = packs.filter(({ extensions }) => extensions.has('bitmap'));
  return { joined: joinable.slice(0, count), left: [...joinable.slice(count), ...covered] };
}

/**
 * Packs loose objects and joins small packs. As `git repack --geometric -d` does, but without deleting
 * empty folders of loose objects, in which a concurrent push may be about to create a file. An object is
 * in its new pack before its former file is deleted.
 */
export async function packGeometrically(
  folder: string,
  loose: number,
  signal: AbortSignal,
): Promise<void> {
  const { joined, left } = divide(await packsIn(folder), loose);
  const input = [...joined.map(({ name }) => name), ...left.map(({ name }) => `^${name}`)];
  const target = join(packFolder(folder), 'pack');
  const options = ['--stdin-packs', '--unpacked', '--non-empty', '--delta-base-offset', '--quiet'];
  const output = await runGit([`--git-dir=${folder}`, 'pack-objects', ...options, target], {
    environment,
    input: input.map((name) => `${name}.pack\n`).join(''),
    signal,
  });
  const created = output.toString().trim();
  if (created !== '' && !/^[0-9a-f]{40}$/.test(created))
    throw new GitFailure('pack-objects', 'printed no name');
  await syncPath(packFolder(folder));
  const replaced = joined.filter(({ name }) => name !== `pack-${created}`);
  if (created !== '' && replaced.length > 0) await deletePacks(folder, replaced);
  await deletePackedLoose(folder, signal);
}

async function deletePacks(folder: string, packs: readonly Pack[]): Promise<void> {
  const place = packFolder(folder);
  const names = await namesIn(place);
  // an index of several packs that names one of them would be wrong
  const indexes = names.filter((name) => name.startsWith('multi-pack-index'));
  const files = packs.flatMap(({ name }) => extensions.map((extension) => `${name}.${extension}`));
  for (const file of [...indexes, ...files]) await rm(join(place, file), { force: true });
}

/** Deletes the files of loose objects that a pack has. */
async function deletePackedLoose(folder: string, signal: AbortSignal): Promise<void> {
  const list = await runGit([`--git-dir=${folder}`, 'prune-packed', '--dry-run'], { signal });
  for (const [, first = '', rest = ''] of list
    .toString()
    .matchAll(/\/([0-9a-f]{2})\/([0-9a-f]{38})$/gm))
    await rm(join(folder, 'objects', first, rest), { force: true });
}
