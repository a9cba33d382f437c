import type { Config } from './config.ts';
import { type ClosableGitStore, gitStore } from './git/store.ts';
import type { Logger } from './log.ts';

/** The configured git storage; `lockWait` in milliseconds. */
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
