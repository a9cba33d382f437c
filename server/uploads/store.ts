import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isOutcomeUnknown } from '../../prisma/failures.ts';
import type { KeptFile, UploadOwner, UploadStore } from '../../schema/ports/uploads.ts';
import { orMissing, syncPath } from '../disk/files.ts';
import type { Incoming, Mark } from './incoming.ts';
import { mediaTypeAt, mediaTypeOf } from './media-type.ts';
import { ownerFolder, uploadPath } from './paths.ts';

/**
 * Stores files below `root`, a folder per owner. Order of writes: a mark, the file, the record,
 * then the mark is deleted; `settleUploads` deletes the file of a left mark that has no record.
 */
export function uploadStore(root: string, incoming: Incoming): UploadStore {
  /** Runs `work` between the two states of the mark; a failure deletes the file. */
  const stored = async <T>(
    owner: UploadOwner,
    key: string,
    work: (place: string) => Promise<T>,
  ) => {
    const place = uploadPath(root, owner, key);
    const mark = await incoming.mark(owner, key);
    return orRemove(place, mark, () => work(place));
  };
  return {
    keep: (owner, key, file, commit) =>
      stored(owner, key, async (place) => {
        await move(file.path, place);
        return commit();
      }),
    copy: (from, to, commit) =>
      stored(to.owner, to.key, async (place) =>
        (await copy(uploadPath(root, from.owner, from.key), place)) ? commit() : null,
      ),
    open: (owner, key) => openKept(uploadPath(root, owner, key)),
    remove: (owner, key) => rm(uploadPath(root, owner, key), { force: true }),
    doubt: (owner, key) => incoming.doubt(owner, key),
    removeAll: (owner) => rm(ownerFolder(root, owner), { recursive: true, force: true }),
    mediaType: ({ path }) => mediaTypeAt(path),
  };
}

/** Runs `work`, whose failure deletes the file; keeps the mark when the outcome is unknown. */
async function orRemove<T>(place: string, mark: Mark, work: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    if (isOutcomeUnknown(error)) await mark.leave();
    else {
      await rm(place, { force: true });
      await mark.erase();
    }
    throw error;
  }
  await mark.erase();
  return result;
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await syncPath(from);
  await rename(from, to);
  await syncPath(dirname(to));
}

/** False when there is nothing to copy; no record names the copy yet. */
async function copy(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true });
  const isCopied = await orMissing(copyFile(from, to).then(() => true));
  if (!isCopied) return false;
  await syncPath(to);
  await syncPath(dirname(to));
  return true;
}

/** Opened before its stats are read: a file deleted in between can still be read to its end. */
async function openKept(path: string): Promise<KeptFile | null> {
  const file = await orMissing(open(path, 'r'));
  if (!file) return null;
  try {
    const [{ size }, mediaType] = [await file.stat(), await mediaTypeOf(file)];
    return { size, mediaType, content: file.createReadStream({ start: 0 }) };
  } catch (error) {
    await file.close();
    throw error;
  }
}
