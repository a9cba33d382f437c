import { link, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncPath } from '../disk/files.ts';
import { type ObjectStore, openFrom } from '../objects/object-store.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { traceKey } from './paths.ts';
import type { Traces } from './traces.ts';

interface ArchiveParts {
  readonly local: ObjectStore;
  readonly archive: ObjectStore;
  readonly incoming: Pick<Incoming, 'receive' | 'discard'>;
}

/**
 * Traces whose files may have been moved to `archive` after their jobs had finished. A local file hides an
 * archived object.
 */
export function withArchive(traces: Traces, { local, archive, incoming }: ArchiveParts): Traces {
  return {
    ...traces,
    traceSize: async (job, isGrowing = false) => {
      const key = traceKey(job);
      return (await local.size(key)) ?? (isGrowing ? null : await archive.size(key)) ?? 0;
    },
    openTrace: async (job, start) =>
      (await traces.openTrace(job, start)) ??
      (await openFrom(archive, traceKey(job), start)) ??
      // it was reopened in between
      traces.openTrace(job, start),
    removeTrace: async (job) => {
      await traces.removeTrace(job);
      await archive.remove(traceKey(job));
    },
    reopenTrace: async (job) => {
      await traces.reopenTrace(job);
      const key = traceKey(job);
      if ((await local.size(key)) !== null) return;
      const archived = await archive.open(key);
      if (!archived) return;
      const file = await incoming.receive('trace', archived.stream());
      try {
        await addFile(file.path, local.locationOf(key));
      } finally {
        await incoming.discard(file);
      }
    },
  };
}

/** Gives a file a second path, unless there is a file, which may have grown meanwhile. */
async function addFile(path: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await syncPath(path);
  await link(path, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await syncPath(dirname(target));
}
