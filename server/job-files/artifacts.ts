import { isOutcomeUnknown } from '../../prisma/failures.ts';
import type { JobFiles, JobPlace } from '../../schema/ports/job-files.ts';
import { type ObjectStore, openFrom, type StagedObject } from '../objects/object-store.ts';
import { type Incoming, settleFailure } from '../uploads/incoming.ts';
import { openEntry } from './archive-entry.ts';
import { fileQueue } from './file-queue.ts';
import { artifactsKey, asideOf } from './paths.ts';

type Artifacts = Pick<
  JobFiles,
  'keepArtifacts' | 'artifactsUrl' | 'openArtifacts' | 'openArtifactsEntry' | 'removeArtifacts'
>;

/** Reads the size of a job's archive from its record; null when the record has no archive. */
export type SizeOf = (job: JobPlace) => Promise<number | null>;

/** Stores archives, and settles those whose outcome is unknown. */
export interface SettledArtifacts extends Artifacts {
  readonly settle: (job: JobPlace, sizeOf: SizeOf) => Promise<void>;
}

/**
 * Stores archives of jobs in `objects`. Order of writes: a mark, the archive while its record is written, then
 * the mark is deleted; `settleArtifacts` settles archives whose mark is left.
 */
export function artifactFiles(objects: ObjectStore, incoming: Incoming): SettledArtifacts {
  const inTurn = fileQueue();
  return {
    keepArtifacts: (job, file, commit) => {
      const key = artifactsKey(job);
      return inTurn(key, async () => {
        const mark = await incoming.mark({ kind: 'project', id: job.projectId }, String(job.id));
        let isMoved = false;
        let archive: StagedObject | null = null;
        let result: Awaited<ReturnType<typeof commit>>;
        try {
          const staged = await objects.stage(key, file.path);
          archive = staged;
          result = await commit(async (sizeBefore) => {
            // a transaction may be retried
            if (isMoved) return;
            await setAside(objects, key, sizeBefore);
            isMoved = true;
            await staged.complete();
          });
        } catch (error) {
          // uploads that stay are given up later
          await archive?.abandon().catch(() => undefined);
          const takeBack = () => (isMoved ? goBack(objects, key) : Promise.resolve());
          await settleFailure(mark, isMoved && isOutcomeUnknown(error), takeBack);
          throw error;
        }
        await objects.remove(asideOf(key));
        await mark.erase();
        return result;
      });
    },
    settle: (job, sizeOf) => {
      const key = artifactsKey(job);
      return inTurn(key, () => settleKey(objects, key, () => sizeOf(job)));
    },
    artifactsUrl: (job, name) =>
      objects.downloadUrl(artifactsKey(job), { name, mediaType: 'application/octet-stream' }),
    openArtifacts: (job) => openFrom(objects, artifactsKey(job)),
    openArtifactsEntry: async (job, path) => openEntry(() => objects.open(artifactsKey(job)), path),
    removeArtifacts: (job) => objects.remove(artifactsKey(job)),
  };
}

/**
 * Copies the recorded archive, of `sizeBefore` bytes, aside before it is replaced. An attempt whose
 * outcome is unknown may have left an archive without a record in its place, and have copied the
 * recorded one already.
 */
async function setAside(
  objects: ObjectStore,
  key: string,
  sizeBefore: number | null,
): Promise<void> {
  const size = await objects.size(key);
  if (size === null || size !== sizeBefore) return;
  await objects.copy(key, asideOf(key));
}

/** Keeps an archive of the recorded size; otherwise restores the previous one. */
async function settleKey(
  objects: ObjectStore,
  key: string,
  sizeOf: () => Promise<number | null>,
): Promise<void> {
  const size = await objects.size(key);
  if (size !== null && size === (await sizeOf())) await objects.remove(asideOf(key));
  else await goBack(objects, key);
}

/** Restores the previous archive, if any, over one without a record. */
async function goBack(objects: ObjectStore, key: string): Promise<void> {
  if (await objects.copy(asideOf(key), key)) await objects.remove(asideOf(key));
  else await objects.remove(key);
}
