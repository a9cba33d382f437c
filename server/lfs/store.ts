import { randomUUID } from 'node:crypto';
import { isOutcomeUnknown } from '../../prisma/failures.ts';
import { unavailable } from '../../schema/kernel/errors.ts';
import type { LfsStore } from '../../schema/ports/lfs.ts';
import type { ObjectStore, StagedObject } from '../objects/object-store.ts';
import { turnsOf } from '../scheduling/heavy-work.ts';
import type { Incoming, SettleMark } from '../uploads/incoming.ts';
import { settleFailure } from '../uploads/incoming.ts';
import { lfsKey } from './paths.ts';

/** Runs `work` with an object locked; `isKnown` is whether it has a record. */
export type WithObject = (oid: string, work: (isKnown: boolean) => Promise<void>) => Promise<void>;

/** Removes the content of an object that has no record. Other uploads of the same content wait. */
export const lfsSettler =
  (objects: Pick<ObjectStore, 'remove'>, withObject: WithObject): SettleMark =>
  (_owner, markKey) => {
    const oid = markKey.slice(0, oidLength);
    return withObject(oid, async (isKnown) => {
      if (!isKnown) await objects.remove(lfsKey(oid));
    });
  };

const oidLength = 64;

/** A mark of its own for each upload: a client may send the same object twice at once. */
const markKeyOf = (oid: string) => `${oid}-${randomUUID()}`;

/**
 * Uploads that this process stores at once, after it has received them: each holds a connection to the
 * database, and with an object store up to eight megabytes.
 */
const maxStoring = 8;

/** Seconds; the content that was there has been removed meanwhile. */
const soon = 1;

/**
 * Keeps objects in `objects`. Order of writes: a mark, then with the object locked the content and its
 * record, then the mark is deleted. `settle` removes a content whose mark is left and that has no record.
 */
export function lfsStore(
  objects: ObjectStore,
  incoming: Pick<Incoming, 'mark'>,
  settle: SettleMark,
): LfsStore {
  const storing = turnsOf('lfs-objects', maxStoring, { isCounted: false });
  const keep: LfsStore['keep'] = async ({ projectId, oid, file }, commit) => {
    const key = lfsKey(oid);
    const owner = { kind: 'project', id: projectId } as const;
    const markKey = markKeyOf(oid);
    const mark = await incoming.mark(owner, markKey);
    let staged: StagedObject | null = null;
    let isPlaced = false;
    let result: Awaited<ReturnType<typeof commit>>;
    try {
      const isThere = (await objects.size(key)) !== null;
      const ready = isThere ? null : await objects.stage(key, file.path);
      staged = ready;
      result = await commit(async () => {
        // another upload has stored the same content, or this transaction is retried
        if ((await objects.size(key)) !== null) return;
        if (isPlaced || !ready) throw unavailable(soon);
        isPlaced = true;
        await ready.complete();
      });
    } catch (error) {
      await staged?.abandon().catch(() => undefined);
      const takeBack = () => (isPlaced ? settle(owner, markKey) : Promise.resolve());
      await settleFailure(mark, isPlaced && isOutcomeUnknown(error), takeBack);
      throw error;
    }
    if (!isPlaced) await staged?.abandon().catch(() => undefined);
    await mark.erase();
    return result;
  };
  return {
    keep: (input, commit) =>
      storing(() => keep(input, commit), { project: String(input.projectId) }),
    open: async (oid) => {
      const reader = await objects.open(lfsKey(oid));
      if (!reader) return null;
      const { size, stream, close } = reader;
      return { size, content: stream, close };
    },
    downloadUrl: (oid) =>
      objects.downloadUrl(lfsKey(oid), { name: oid, mediaType: 'application/octet-stream' }),
    remove: (oid) => objects.remove(lfsKey(oid)),
  };
}
