import { rm, stat } from 'node:fs/promises';
import type { JobPlace } from '../../schema/ports/job-files.ts';
import { settleMarks } from '../uploads/settle.ts';
import { asideOf, goBack } from './artifacts.ts';
import { artifactsPlace, type JobFolders } from './place.ts';
import { ifThere } from './traces.ts';

/**
 * At a start: puts right what processes that were killed had begun to keep. An archive stays if it
 * has the size that its record, which `sizeOf` reads, says; otherwise the one before it comes back,
 * if there was one.
 */
export const settleArtifacts = (
  folders: JobFolders,
  sizeOf: (job: JobPlace) => Promise<number | null>,
  olderThan: Date,
): Promise<void> =>
  settleMarks(
    folders.artifacts,
    async ({ id: projectId }, key) => {
      const job = { id: Number(key), projectId };
      const place = artifactsPlace(folders, job);
      const found = await ifThere(stat(place));
      if (found && found.size === (await sizeOf(job))) await rm(asideOf(place), { force: true });
      else await goBack(place);
    },
    olderThan,
  );
