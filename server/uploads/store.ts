import { isOutcomeUnknown } from '../../prisma/failures.ts';
import type { KeptFile, UploadOwner, UploadStore } from '../../schema/ports/uploads.ts';
import { mediaTypeAt } from '../objects/media-type.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { type Incoming, type Mark, settleFailure } from './incoming.ts';
import { ownerPrefix, uploadKey } from './paths.ts';

/**
 * Stores files in `objects`, below a prefix for each owner. Order of writes: a mark, the file, the record,
 * then the mark is deleted; `settleUploads` deletes the file of a left mark that has no record.
 */
export function uploadStore(objects: ObjectStore, incoming: Incoming): UploadStore {
  /** Runs `work` between the two states of the mark; a failure deletes the file. */
  const stored = async <T>(
    owner: UploadOwner,
    key: string,
    work: (place: string) => Promise<T>,
  ) => {
    const place = uploadKey(owner, key);
    const mark = await incoming.mark(owner, key);
    return orRemove(
      () => objects.remove(place),
      mark,
      () => work(place),
    );
  };
  return {
    keep: (owner, key, file, commit) =>
      stored(owner, key, async (place) => {
        await objects.put(place, file.path);
        return commit();
      }),
    copy: (from, to, commit) =>
      stored(to.owner, to.key, async (place) =>
        (await objects.copy(uploadKey(from.owner, from.key), place)) ? commit() : null,
      ),
    open: (owner, key) => openKept(objects, uploadKey(owner, key)),
    remove: (owner, key) => objects.remove(uploadKey(owner, key)),
    doubt: (owner, key) => incoming.doubt(owner, key),
    removeAll: (owner) => objects.removeAll(ownerPrefix(owner)),
    mediaType: ({ path }) => mediaTypeAt(path),
  };
}

/** Runs `work`, whose failure removes the file; keeps the mark when the outcome is unknown. */
async function orRemove<T>(
  remove: () => Promise<void>,
  mark: Mark,
  work: () => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await settleFailure(mark, isOutcomeUnknown(error), remove);
    throw error;
  }
  await mark.erase();
  return result;
}

async function openKept(objects: ObjectStore, key: string): Promise<KeptFile | null> {
  const reader = await objects.open(key);
  if (!reader) return null;
  try {
    const mediaType = await reader.mediaType();
    return { size: reader.size, mediaType, content: reader.stream() };
  } catch (error) {
    await reader.close();
    throw error;
  }
}
