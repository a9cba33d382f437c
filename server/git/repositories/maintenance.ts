import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { gitEnvironmentWith } from '../process/environment.ts';
import { GitFailure, runGit } from '../process/run.ts';
import { requirePackedRefs } from '../refs/damaged-refs.ts';
import type { Locks } from '../refs/locks.ts';
import { isMissingWiki } from '../wikis/wiki-creation.ts';
import { objectsWithoutBitmap } from './bitmap-coverage.ts';
import { hasCachesAside, renewCaches } from './cache-renewal.ts';
import { updateCommitGraph } from './commit-graph.ts';

const maxDurationMs = 3_600_000;

/** Git's own thresholds for automatic garbage collection. */
const maxLooseObjects = 6700;
const maxPacks = 50;

/**
 * Objects that no bitmap covers: for a clone git reads each of them, some 10 µs. A large repository
 * may have more, a tenth of its objects, so that its upkeep stays proportional to its growth.
 */
const maxWithoutBitmap = 10_000;
const maxPartWithoutBitmap = 0.1;

const environment = gitEnvironmentWith({
  // a pack records when each unreachable object expires, which packing would otherwise forget
  'gc.cruftPacks': 'true',
  // written afterwards, with filters
  'gc.writeCommitGraph': 'false',
});

export function maintainer(storages: Storages, locks: Locks) {
  const needsMaintenance = async (repository: RepositoryAddress): Promise<boolean> => {
    if (await isMissingWiki(storages, repository)) return false;
    const folder = repositoryFolder(storages, repository);
    const text = (await runGit([`--git-dir=${folder}`, 'count-objects', '-v'])).toString();
    if (await hasCachesAside(folder)) return true;
    const count = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]);
    if (count('count') > maxLooseObjects || count('packs') > maxPacks) return true;
    const packed = count('in-pack');
    const allowed = Math.max(maxWithoutBitmap, packed * maxPartWithoutBitmap);
    return packed > allowed && (await objectsWithoutBitmap(folder)) > allowed;
  };

  const maintain = async (repository: RepositoryAddress): Promise<void> => {
    if (await isMissingWiki(storages, repository)) return;
    const folder = repositoryFolder(storages, repository);
    // git would delete all objects of the references that it does not find
    await requirePackedRefs(folder);
    await clearStaleLock(folder);
    await renewCaches(folder, async () => {
      const signal = AbortSignal.timeout(maxDurationMs);
      const task = ['maintenance', 'run', '--quiet', '--task=gc'];
      await runGit([`--git-dir=${folder}`, ...task], { environment, signal });
      await updateCommitGraph(folder, { locks, signal, isWhole: true });
    });
  };

  return { needsMaintenance, maintain };
}

/** A kill leaves git's lock, with which later runs would silently do nothing. */
async function clearStaleLock(folder: string): Promise<void> {
  const lock = join(folder, 'objects', 'maintenance.lock');
  const stats = await stat(lock).catch(() => null);
  if (!stats) return;
  if (Date.now() - stats.mtimeMs < maxDurationMs)
    throw new GitFailure('maintenance', 'is already running');
  await rm(lock, { force: true });
}
