import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { orMissing } from '../../disk/files.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import type { Locks } from '../refs/locks.ts';
import { isMissingWiki } from '../wikis/wiki-creation.ts';
import { commitGraphTime, layerFolder, updateCommitGraph } from './commit-graph.ts';
import { joinablePacks, packGeometrically } from './geometric-packs.ts';
import { looseObjectFiles, namesIn, packFolder, packsIn } from './pack-files.ts';

/** Each costs a clone some 0.5 ms, and a block on the disk. */
const maxLooseObjects = 250;
/** Git searches each pack for an object; packing leaves fewer, a logarithm of the objects. */
const maxPacks = 16;
/** Packed objects since the commit graph was written: some 1,000 commits. */
const maxSinceCommitGraph = 3_000;

const maxDurationMs = 3_600_000;
/** A temporary file of a running process was changed later. */
const abandonedMs = 86_400_000;

/** Packs what was added, at a cost that grows with it and not with the repository (ADR 64). */
export function packer(storages: Storages, locks: Locks) {
  const needsPacking = async (repository: RepositoryAddress): Promise<boolean> => {
    if (await isMissingWiki(storages, repository)) return false;
    const folder = repositoryFolder(storages, repository);
    return hasManyFiles(await filesOf(folder)) || (await isGraphOutdated(folder));
  };

  const packNewObjects = async (repository: RepositoryAddress): Promise<void> => {
    if (await isMissingWiki(storages, repository)) return;
    const folder = repositoryFolder(storages, repository);
    const signal = AbortSignal.timeout(maxDurationMs);
    for (const each of [packFolder(folder), join(folder, layerFolder)])
      await removeAbandonedFiles(each);
    const files = await filesOf(folder);
    if (hasManyFiles(files)) await packGeometrically(folder, files.loose, signal);
    await updateCommitGraph(folder, { locks, signal });
  };

  return { needsPacking, packNewObjects };
}

interface Files {
  /** The number of loose objects. */
  readonly loose: number;
  /** The number of packs that may be joined. */
  readonly packs: number;
}

const hasManyFiles = ({ loose, packs }: Files): boolean =>
  loose > maxLooseObjects || packs > maxPacks;

const filesOf = async (folder: string): Promise<Files> => ({
  loose: (await looseObjectFiles(folder)).length,
  packs: joinablePacks(await packsIn(folder)).length,
});

/** Whether a walk of the history finds many commits that the commit graph does not have. */
async function isGraphOutdated(folder: string): Promise<boolean> {
  const since = (await commitGraphTime(folder)) ?? 0;
  let count = 0;
  for (const { name, objects } of await packsIn(folder)) {
    const stats = await orMissing(stat(join(packFolder(folder), `${name}.idx`)));
    if (stats && stats.mtimeMs > since) count += objects;
  }
  return count > maxSinceCommitGraph;
}

/** Deletes temporary files that a kill left; git deletes only some of them, after two weeks. */
async function removeAbandonedFiles(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!/^\.?tmp[-_]/.test(name)) continue;
    const path = join(folder, name);
    const stats = await orMissing(stat(path));
    if (stats && Date.now() - stats.mtimeMs > abandonedMs) await rm(path, { force: true });
  }
}
