import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { isWiki, repositoryFolder, type Storages } from '../address.ts';
import { GitFailure, runGit } from '../process/run.ts';
import { wikiExists } from '../wikis/wiki-creation.ts';

const maxDurationMs = 3_600_000;

/** Git's own thresholds for automatic garbage collection. */
const maxLooseObjects = 6700;
const maxPacks = 50;

export function maintainer(storages: Storages) {
  const isMissingWiki = async (repository: RepositoryAddress): Promise<boolean> =>
    isWiki(repository) && !(await wikiExists(storages, repository));

  const needsMaintenance = async (repository: RepositoryAddress): Promise<boolean> => {
    if (await isMissingWiki(repository)) return false;
    const gitDir = `--git-dir=${repositoryFolder(storages, repository)}`;
    const text = (await runGit([gitDir, 'count-objects', '-v'])).toString();
    const count = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]);
    return count('count') > maxLooseObjects || count('packs') > maxPacks;
  };

  const maintain = async (repository: RepositoryAddress): Promise<void> => {
    if (await isMissingWiki(repository)) return;
    const folder = repositoryFolder(storages, repository);
    await clearStaleLock(folder);
    const tasks = ['--task=gc', '--task=commit-graph'];
    await runGit([`--git-dir=${folder}`, 'maintenance', 'run', '--quiet', ...tasks], {
      signal: AbortSignal.timeout(maxDurationMs),
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
