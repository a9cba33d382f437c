import { statfs } from 'node:fs/promises';
import { GitFailure } from '../process/run.ts';

/**
 * Why an update of references failed, by what git says. If it could not write the file of a lock it does not say
 * why: a full disk has another response than a damaged one.
 */
export async function updateFailure(folder: string, complaint: string): Promise<GitFailure> {
  const space = await statfs(folder).catch(() => null);
  const isFull = space?.bavail === 0;
  return new GitFailure('update-ref', isFull ? `${complaint}: No space left on device` : complaint);
}
