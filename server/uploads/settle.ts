import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadOwner } from '../../schema/ports/uploads.ts';
import { orMissing } from '../disk/files.ts';
import { processState } from '../git/process/process-identity.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { makerFile, readMark, type SettleMark } from './incoming.ts';
import { incomingRoot, uploadKey } from './paths.ts';

/** Deletes a stored file that has no record; `isKnown` returns whether it has one. */
export const uploadSettler =
  (
    objects: Pick<ObjectStore, 'remove'>,
    isKnown: (owner: UploadOwner, key: string) => Promise<boolean>,
  ): SettleMark =>
  async (owner, key) => {
    if (!(await isKnown(owner, key))) await objects.remove(uploadKey(owner, key));
  };

/**
 * Runs `settle` for each mark that killed processes left, and deletes what they had received. A
 * folder is abandoned when its process has exited; where that is not visible, when nothing was
 * added to it since `olderThan`.
 */
export async function settleMarks(
  root: string,
  settle: SettleMark,
  olderThan: Date,
): Promise<void> {
  const incoming = incomingRoot(root);
  const failures: unknown[] = [];
  for (const name of await namesIn(incoming)) {
    const folder = join(incoming, name);
    if (!(await isLeftBehind(folder, olderThan))) continue;
    const marks = (await namesIn(folder)).flatMap((mark) => readMark(mark) ?? []);
    const before = failures.length;
    for (const { owner, key } of marks)
      await settle(owner, key).catch((error: unknown) => failures.push(error));
    // marks that were not settled stay for the next round
    if (failures.length > before) continue;
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
}

async function isLeftBehind(folder: string, olderThan: Date): Promise<boolean> {
  const maker = (await orMissing(readFile(join(folder, makerFile), 'utf8'))) ?? '';
  const state = await processState(maker);
  if (state !== 'unseen') return state === 'exited';
  const stats = await orMissing(stat(folder));
  return stats !== null && stats.mtime < olderThan;
}

const namesIn = async (folder: string) => (await orMissing(readdir(folder))) ?? [];
