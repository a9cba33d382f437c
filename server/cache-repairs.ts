import { AsyncResource } from 'node:async_hooks';
import { Counter, type Registry } from 'prom-client';
import type { Database } from '../prisma/client.ts';
import { transact } from '../schema/kernel/storage-errors.ts';
import type { Jobs } from '../schema/ports/jobs.ts';
import { enqueueCacheRenewal } from '../schema/repository/housekeeping.ts';
import { projectAddress, repositoryOf, type Storages } from './git/address.ts';
import { type CacheRepair, onCacheRepair } from './git/process/cache-mending.ts';
import type { Logger } from './log.ts';

interface RepairParts {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly storages: Storages;
  readonly registry: Registry;
}

const messages: Readonly<Record<CacheRepair['outcome'], string>> = {
  'set-aside': 'set a damaged cache of a repository aside',
  rebuilt: 'rebuilt the damaged index of a pack',
  failed: 'a damaged cache of a repository cannot be mended',
  waiting: 'a damaged cache of a repository has not been made anew',
};

/** Enqueues what makes the caches of a repository anew. */
export const renewLater = async (
  objects: string,
  { db, jobs, storages }: Omit<RepairParts, 'registry'>,
): Promise<void> => {
  const repository = repositoryOf(storages, objects);
  if (!repository) return;
  await transact(db, (tx) => enqueueCacheRenewal(projectAddress(repository), tx, { jobs }));
};

/**
 * Logs and counts the damaged caches that git would have read, and has them made anew. Returns what
 * ends that.
 */
export function watchCaches(parts: RepairParts, log: Logger): () => void {
  const count = new Counter({
    name: 'millrace_git_damaged_caches_total',
    help: 'Damaged caches of repositories (bitmaps, commit graphs, indexes), by what was done about them',
    labelNames: ['kind', 'outcome'],
    registers: [parts.registry],
  });
  const renew = (objects: string) =>
    renewLater(objects, parts).catch((error: unknown) =>
      log.error({ err: error, objects }, 'enqueueing housekeeping'),
    );
  // not in the transaction or the trace of the request whose git found it
  const outside = new AsyncResource('cache repairs');
  return onCacheRepair((repair) => {
    const { objects, kind, outcome } = repair;
    if (kind) count.inc({ kind, outcome });
    log.warn({ ...repair }, messages[outcome]);
    if (outcome !== 'failed') void outside.runInAsyncScope(renew, null, objects);
  });
}
