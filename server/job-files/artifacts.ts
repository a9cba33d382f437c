import { link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isOutcomeUnknown } from '../../prisma/failures.ts';
import type { JobFiles, JobPlace } from '../../schema/ports/job-files.ts';
import { orMissing, syncPath } from '../disk/files.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { openEntry } from './archive-entry.ts';
import { fileQueue } from './file-queue.ts';
import { artifactsPath, type JobFolders } from './paths.ts';
import { openToRead } from './traces.ts';

type Artifacts = Pick<
  JobFiles,
  'keepArtifacts' | 'openArtifacts' | 'openArtifactsEntry' | 'removeArtifacts'
>;

/** Reads the size of a job's archive from its record; null when the record has no archive. */
export type SizeOf = (job: JobPlace) => Promise<number | null>;

/** Stores archives, and settles those whose outcome is unknown. */
export interface SettledArtifacts extends Artifacts {
  readonly settle: (job: JobPlace, sizeOf: SizeOf) => Promise<void>;
}

/** Where the previous archive is kept while it is being replaced. */
const asideOf = (place: string): string => `${place}.before`;

/**
 * Stores archives of jobs. Order of writes: a mark, the archive while its record is written, then
 * the mark is deleted; `settleArtifacts` settles archives whose mark is left.
 */
export function artifactFiles(folders: JobFolders, incoming: Incoming): SettledArtifacts {
  const inTurn = fileQueue();
  const placeOf = (job: JobPlace) => artifactsPath(folders, job);
  return {
    keepArtifacts: (job, file, commit) => {
      const place = placeOf(job);
      return inTurn(place, async () => {
        const mark = await incoming.mark({ kind: 'project', id: job.projectId }, String(job.id));
        let isMoved = false;
        let result: Awaited<ReturnType<typeof commit>>;
        try {
          await mkdir(dirname(place), { recursive: true });
          await syncPath(file.path);
          result = await commit(async (sizeBefore) => {
            // a transaction may be retried
            if (isMoved) return;
            await setAside(place, sizeBefore);
            isMoved = true;
            await rename(file.path, place);
            await syncPath(dirname(place));
          });
        } catch (error) {
          if (isMoved && isOutcomeUnknown(error)) await mark.leave();
          else {
            if (isMoved) await goBack(place);
            await mark.erase();
          }
          throw error;
        }
        await rm(asideOf(place), { force: true });
        await mark.erase();
        return result;
      });
    },
    settle: (job, sizeOf) =>
      inTurn(placeOf(job), () => settlePlace(placeOf(job), () => sizeOf(job))),
    openArtifacts: (job) => openToRead(placeOf(job)),
    openArtifactsEntry: (job, path) => openEntry(placeOf(job), path),
    removeArtifacts: (job) => rm(placeOf(job), { force: true }),
  };
}

/**
 * Moves the recorded archive, of `sizeBefore` bytes, aside before it is replaced. An attempt whose
 * outcome is unknown may have left an archive without a record in its place, and have moved the
 * recorded one aside already.
 */
async function setAside(place: string, sizeBefore: number | null): Promise<void> {
  const stats = await orMissing(stat(place));
  if (!stats || stats.size !== sizeBefore) return;
  await rm(asideOf(place), { force: true });
  await link(place, asideOf(place));
}

/** Keeps an archive of the recorded size; otherwise restores the previous one. */
async function settlePlace(place: string, sizeOf: () => Promise<number | null>): Promise<void> {
  const stats = await orMissing(stat(place));
  if (stats && stats.size === (await sizeOf())) await rm(asideOf(place), { force: true });
  else await goBack(place);
}

/** Restores the previous archive, if any, over one without a record. */
async function goBack(place: string): Promise<void> {
  await rm(place, { force: true });
  await orMissing(rename(asideOf(place), place));
}
