import type { Config } from './config.ts';
import { watchSpawner } from './git/process/spawner.ts';
import { watchStoppedChildren } from './git/process/stopped-children.ts';
import { type ClosableGitStore, gitStore } from './git/store.ts';
import { helperReports } from './helpers/failures.ts';
import { helperLimits } from './helpers/silence-watch.ts';
import type { Limits } from './limits.ts';
import type { Logger } from './log.ts';

/** The configured git storage, whose helper processes are watched. */
export function openRepositories(
  { storages, allowsLocalRequests }: Pick<Config, 'storages' | 'allowsLocalRequests'>,
  log: Logger,
  { lockWait, helpers: limits = helperLimits }: Pick<Limits, 'lockWait' | 'helpers'>,
): ClosableGitStore {
  const helpers = { limits, report: helperReports(log) };
  watchSpawner(helpers);
  watchStoppedChildren(helpers);
  return gitStore({
    storages,
    allowsLocalRequests,
    onLockRemoved: (lock, age) => log.warn({ lock, age }, 'removed a lock that git left'),
    ...(lockWait !== undefined && { lockWait }),
    helpers,
  });
}

/** Removes the locks of killed git processes in the background; returns a function that stops it. */
export function sweepLocks({ locks }: ClosableGitStore, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const sweeping = locks
    .sweep(stopping.signal)
    .catch((error: unknown) => log.error({ err: error }, 'sweeping locks'));
  return () => {
    stopping.abort();
    return sweeping;
  };
}
