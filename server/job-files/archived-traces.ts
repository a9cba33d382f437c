import type { ObjectStore } from '../objects/object-store.ts';
import { openFrom } from '../objects/object-store.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { traceKey } from './paths.ts';
import type { Traces } from './traces.ts';

interface ArchiveParts {
  readonly local: ObjectStore;
  readonly archive: ObjectStore;
  readonly incoming: Pick<Incoming, 'receive'>;
}

/**
 * Traces whose files may have been moved to `archive` after their jobs had finished. A local file hides an
 * archived object.
 */
export function withArchive(traces: Traces, { local, archive, incoming }: ArchiveParts): Traces {
  return {
    ...traces,
    traceSize: async (job) =>
      (await local.size(traceKey(job))) ?? (await archive.size(traceKey(job))) ?? 0,
    openTrace: async (job, start) =>
      (await traces.openTrace(job, start)) ?? openFrom(archive, traceKey(job), start),
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
      const { path } = await incoming.receive('trace', archived.stream());
      await local.put(key, path);
    },
  };
}
