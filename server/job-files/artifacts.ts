import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JobFiles, JobPlace } from '../../schema/ports/job-files.ts';
import type { Incoming } from '../uploads/incoming.ts';
import { openEntry } from './archive-entry.ts';
import { artifactsPlace, type JobFolders } from './place.ts';
import { ifThere, openToRead } from './traces.ts';
import { turns } from './turns.ts';

type Artifacts = Pick<
  JobFiles,
  'keepArtifacts' | 'openArtifacts' | 'openArtifactsEntry' | 'removeArtifacts'
>;

/** Where the archive lies that another one is about to take the place of. */
export const asideOf = (place: string): string => `${place}.before`;

/**
 * Archives of jobs. Order of writes: a mark, the archive, while its record is written, then the mark
 * goes; `settleArtifacts` puts right what a mark was left of.
 */
export function artifactFiles(folders: JobFolders, incoming: Incoming): Artifacts {
  const inTurn = turns();
  const placeOf = (job: JobPlace) => artifactsPlace(folders, job);
  return {
    keepArtifacts: (job, file, commit) => {
      const place = placeOf(job);
      return inTurn(place, async () => {
        const unmark = await incoming.mark({ kind: 'project', id: job.projectId }, String(job.id));
        let isMoved = false;
        try {
          await mkdir(dirname(place), { recursive: true });
          await flush(file.path);
          return await commit(async () => {
            // a transaction may be tried again
            if (isMoved) return;
            await setAside(place);
            isMoved = true;
            await rename(file.path, place);
            await flush(dirname(place));
          });
        } catch (error) {
          if (isMoved) await goBack(place);
          throw error;
        } finally {
          await rm(asideOf(place), { force: true });
          await unmark();
        }
      });
    },
    openArtifacts: (job) => openToRead(placeOf(job)),
    openArtifactsEntry: (job, path) => openEntry(placeOf(job), path),
    removeArtifacts: (job) => rm(placeOf(job), { force: true }),
  };
}

async function setAside(place: string): Promise<void> {
  await rm(asideOf(place), { force: true });
  await ifThere(link(place, asideOf(place)));
}

/** Puts back what was there before an archive without a record, if anything was. */
export async function goBack(place: string): Promise<void> {
  await rm(place, { force: true });
  await ifThere(rename(asideOf(place), place));
}

/** What a rename promises holds only for what is on the disk. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
