import type { Context } from '../kernel/context.ts';
import { ObjectsUnavailable } from '../kernel/outage.ts';
import { transact } from '../kernel/storage-errors.ts';
import { lockContent } from './oid.ts';

/** Objects read at once. */
const batch = 1_000;

/** Hours for which an object without a project is kept: a push may need it again. */
const keptFor = 24;

/** Deletes the objects that no project has had for a day. */
export async function deleteUnlinkedObjects(parts: Pick<Context, 'db' | 'lfs'>): Promise<void> {
  for (;;) {
    const before = new Date(Date.now() - keptFor * 3_600_000);
    const objects = await parts.db.lfsObject.findMany({
      where: { unlinkedAt: { lt: before } },
      orderBy: { unlinkedAt: 'asc' },
      take: batch,
      select: { id: true, oid: true },
    });
    const failures: unknown[] = [];
    for (const object of objects) {
      await deleteObject(object, before, parts).catch((error: unknown) => {
        if (error instanceof ObjectsUnavailable) throw error;
        // a file that cannot be deleted keeps no other one
        failures.push(error);
      });
    }
    if (failures.length > 0) throw failures[0];
    if (objects.length < batch) return;
  }
}

/** Deletes an object, unless a project has it again. */
const deleteObject = (
  { id, oid }: { readonly id: number; readonly oid: string },
  before: Date,
  { db, lfs }: Pick<Context, 'db' | 'lfs'>,
): Promise<void> =>
  transact(db, async (tx) => {
    // an upload of the same content happens before or after this
    await lockContent(tx, oid);
    const [object] = await tx.$queryRaw<unknown[]>`
      SELECT id FROM lfs_objects WHERE id = ${id} AND unlinked_at < ${before} FOR UPDATE`;
    if (!object) return;
    if ((await tx.projectLfsObject.count({ where: { objectId: id } })) > 0) {
      await tx.lfsObject.updateMany({ where: { id }, data: { unlinkedAt: null } });
      return;
    }
    // before the record: after a crash the record is found again, a content without one would not be
    await lfs.remove(oid);
    await tx.lfsObject.delete({ where: { id }, select: { id: true } });
  });
