import { isOutcomeUnknown } from '../../prisma/failures.ts';
import { ObjectsUnavailable } from '../../schema/kernel/outage.ts';
import type { ArchiveRecord, JobFiles, JobPlace } from '../../schema/ports/job-files.ts';
import { type ObjectStore, openFrom } from '../objects/object-store.ts';
import { turnsOf } from '../scheduling/heavy-work.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { openEntry } from './archive-entry.ts';
import { fileQueue } from './file-queue.ts';
import { artifactsKey, asideOf } from './paths.ts';

type Artifacts = Pick<
  JobFiles,
  'keepArtifacts' | 'artifactsUrl' | 'openArtifacts' | 'openArtifactsEntry' | 'removeArtifacts'
>;

/** Stores archives, and settles those whose outcome is unknown. */
export interface SettledArtifacts extends Artifacts {
  readonly settle: (job: JobPlace, whileRecorded: ArchiveRecord['whileRecorded']) => Promise<void>;
}

/** Transactions at a time that wait for the store: a slow one must not take all connections. */
const maxCommits = 8;

/**
 * Stores archives of jobs in `objects`. Order of writes: a mark, the archive while its record is written, then
 * the mark is deleted; `settleArtifacts` settles archives whose mark is left. The archive is replaced and
 * settled only while the row of the job is locked.
 */
export function artifactFiles(objects: ObjectStore, incoming: Incoming): SettledArtifacts {
  const inTurn = fileQueue();
  const committing = turnsOf('artifacts', maxCommits, { isCounted: false });
  return {
    keepArtifacts: (job, file, { commit, whileRecorded }) => {
      const key = artifactsKey(job);
      return inTurn(key, async () => {
        const mark = await incoming.mark({ kind: 'project', id: job.projectId }, String(job.id));
        const settleNow = () =>
          whileRecorded((size) => settleKey(objects, key, size)).then(
            () => true,
            () => false,
          );
        let isMoved = false;
        let isAside = false;
        const store = async () => {
          const archive = await objects.stage(key, file.path);
          try {
            return await commit(async (sizeBefore) => {
              // a transaction may be retried
              if (isMoved) return;
              isAside = await setAside(objects, key, sizeBefore);
              isMoved = true;
              await archive.complete();
            });
          } catch (error) {
            // uploads that stay are given up later
            await archive.abandon().catch(() => undefined);
            throw error;
          }
        };
        let result: Awaited<ReturnType<typeof store>>;
        try {
          result = await committing(store, { project: String(job.projectId) });
        } catch (error) {
          const isSettled = !isMoved || (!isOutcomeUnknown(error) && (await settleNow()));
          // a store that did not answer may still do what it was asked
          const isOver = isSettled && !(isMoved && error instanceof ObjectsUnavailable);
          await (isOver ? mark.erase() : mark.leave());
          throw error;
        }
        // the record exists: whatever fails now is repeated later
        const isDone = !isAside || (await settleNow());
        await (isDone ? mark.erase() : mark.leave());
        return result;
      });
    },
    settle: (job, whileRecorded) => {
      const key = artifactsKey(job);
      return inTurn(key, () => whileRecorded((size) => settleKey(objects, key, size)));
    },
    artifactsUrl: (job, name) =>
      objects.downloadUrl(artifactsKey(job), { name, mediaType: 'application/octet-stream' }),
    openArtifacts: (job) => openFrom(objects, artifactsKey(job)),
    openArtifactsEntry: async (job, path) => openEntry(() => objects.open(artifactsKey(job)), path),
    removeArtifacts: (job) => objects.remove(artifactsKey(job)),
  };
}

/**
 * Copies the recorded archive, of `sizeBefore` bytes, aside before it is replaced; false if there is none.
 * An attempt whose outcome is unknown may have left an archive without a record in its place, and have
 * copied the recorded one already.
 */
async function setAside(
  objects: ObjectStore,
  key: string,
  sizeBefore: number | null,
): Promise<boolean> {
  if (sizeBefore === null) return false;
  const size = await objects.size(key);
  if (size === sizeBefore) await objects.copy(key, asideOf(key));
  return true;
}

/** Keeps an archive of the recorded size; otherwise restores the previous one, or removes both without a record. */
async function settleKey(
  objects: ObjectStore,
  key: string,
  recordedSize: number | null,
): Promise<void> {
  const size = await objects.size(key);
  const isRecorded = size !== null && size === recordedSize;
  if (!isRecorded) {
    // without a record, both go: the artifacts may have been deleted since the replacement
    const isRestored = recordedSize !== null && (await objects.copy(asideOf(key), key));
    if (!isRestored) await objects.remove(key);
  }
  await objects.remove(asideOf(key));
}
