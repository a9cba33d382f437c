import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { orMissing } from '../../disk/files.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { gitEnvironmentWith } from '../process/environment.ts';
import { GitFailure, runGit } from '../process/run.ts';
import { requirePackedRefs } from '../refs/damaged-refs.ts';
import type { Locks } from '../refs/locks.ts';
import { isMissingWiki } from '../wikis/wiki-creation.ts';
import { objectsWithoutBitmap } from './bitmap-coverage.ts';
import { hasCachesAside, renewCaches } from './cache-renewal.ts';
import { updateCommitGraph } from './commit-graph.ts';
import { looseObjectFiles, type Pack, packFolder, packsIn } from './pack-files.ts';

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

  const maintain = async (repository: RepositoryAddress): Promise<boolean> => {
    if (await isMissingWiki(storages, repository)) return false;
    const folder = repositoryFolder(storages, repository);
    // git would delete all objects of the references that it does not find
    await requirePackedRefs(folder);
    await requireNoOther(folder, locks);
    await renewTimes(folder);
    await renewCaches(folder, async () => {
      const signal = AbortSignal.timeout(maxDurationMs);
      const task = ['maintenance', 'run', '--quiet', '--task=gc'];
      await runGit([`--git-dir=${folder}`, ...task], { environment, signal });
      await updateCommitGraph(folder, { locks, signal, isWhole: true });
    });
    return (await packsIn(folder)).some(isUnreachable);
  };

  return { needsMaintenance, maintain };
}

const maintenanceLock = join('objects', 'maintenance.lock');

/**
 * Throws if another process works on the same. A kill leaves git's locks: with the first, later runs would
 * silently do nothing, and with the second fail if another process has its number.
 */
async function requireNoOther(folder: string, locks: Locks): Promise<void> {
  await locks.removeStale(folder, [maintenanceLock, 'gc.pid']);
  if (await orMissing(stat(join(folder, maintenanceLock))))
    throw new GitFailure('maintenance', 'is already running');
}

const isUnreachable = ({ extensions }: Pack) => extensions.has('mtimes');

/**
 * Sets the times of all objects that no former run has found unreachable. Git deletes unreachable objects
 * by the time at which they were written: of a branch that was deleted a minute ago, and that a concurrent
 * request may restore, at once.
 */
async function renewTimes(folder: string): Promise<void> {
  const packs = (await packsIn(folder)).filter((pack) => !isUnreachable(pack));
  const packFiles = packs.map(({ name }) => join(packFolder(folder), `${name}.pack`));
  const now = new Date();
  for (const path of [...packFiles, ...(await looseObjectFiles(folder))])
    await orMissing(utimes(path, now, now));
}
