import type { Config } from './config.ts';
import { type ClosableGitStore, gitStore } from './git/store.ts';
import type { Logger } from './log.ts';

/** Git storage as configured; `lockWait` in milliseconds, the usual time when left out. */
export const openRepositories = (
  { storages, allowsLocalRequests }: Pick<Config, 'storages' | 'allowsLocalRequests'>,
  log: Logger,
  lockWait: number | undefined,
): ClosableGitStore =>
  gitStore({
    storages,
    allowsLocalRequests,
    onLockRemoved: (lock, age) => log.warn({ lock, age }, 'removed a lock that git left'),
    ...(lockWait !== undefined && { lockWait }),
  });

/** Removes the locks that a git which was killed left anywhere, beside other work; gives the way to stop. */
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
