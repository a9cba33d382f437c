import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isOutcomeUnknown } from '../../prisma/failures.ts';
import type { JobFiles, JobPlace } from '../../schema/ports/job-files.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { openEntry } from './archive-entry.ts';
import { fileQueue } from './file-queue.ts';
import { artifactsPath, type JobFolders } from './paths.ts';
import { ifThere, openToRead } from './traces.ts';

type Artifacts = Pick<
  JobFiles,
  'keepArtifacts' | 'openArtifacts' | 'openArtifactsEntry' | 'removeArtifacts'
>;

/** Reads the size of a job's archive from its record; null when the record names none. */
export type SizeOf = (job: JobPlace) => Promise<number | null>;

/** Archives, and what puts right those that are left without a known outcome. */
export interface SettledArtifacts extends Artifacts {
  readonly settle: (job: JobPlace, sizeOf: SizeOf) => Promise<void>;
}

/** Where the archive lies that another one is about to take the place of. */
export const asideOf = (place: string): string => `${place}.before`;

/**
 * Archives of jobs. Order of writes: a mark, the archive, while its record is written, then the mark
 * goes; `settleArtifacts` puts right what a mark was left of.
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
          await flush(file.path);
          result = await commit(async (sizeBefore) => {
            // a transaction may be tried again
            if (isMoved) return;
            await setAside(place, sizeBefore);
            isMoved = true;
            await rename(file.path, place);
            await flush(dirname(place));
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
 * Keeps the archive that has a record, of `sizeBefore` bytes, beside the one that takes its place. An
 * attempt whose outcome is unknown may have left an archive without a record there, and the one with
 * the record aside already.
 */
async function setAside(place: string, sizeBefore: number | null): Promise<void> {
  const found = await ifThere(stat(place));
  if (!found || found.size !== sizeBefore) return;
  await rm(asideOf(place), { force: true });
  await link(place, asideOf(place));
}

/** An archive stays if it has the size that its record says; else the one before it comes back. */
async function settlePlace(place: string, sizeOf: () => Promise<number | null>): Promise<void> {
  const found = await ifThere(stat(place));
  if (found && found.size === (await sizeOf())) await rm(asideOf(place), { force: true });
  else await goBack(place);
}

/** Puts back what was there before an archive without a record, if anything was. */
async function goBack(place: string): Promise<void> {
  await rm(place, { force: true });
  await ifThere(rename(asideOf(place), place));
}

/** What a rename promises holds only for what is on the disk. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
