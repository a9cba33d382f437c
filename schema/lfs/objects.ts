import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { LfsContent } from '../ports/lfs.ts';
import type { ReceivedFile } from '../ports/uploads.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';
import type { LfsProject } from './access.ts';
import { lockContent } from './oid.ts';

/** The sizes in bytes of those objects that belong to a project, by their ids. */
export async function findObjects(
  projectId: number,
  oids: readonly string[],
  { db }: Pick<Context, 'db'>,
): Promise<ReadonlyMap<string, number>> {
  const objects = await db.lfsObject.findMany({
    where: { oid: { in: [...oids] }, projects: { some: { projectId } } },
    select: { oid: true, size: true },
  });
  return new Map(objects.map(({ oid, size }) => [oid, Number(size)]));
}

/**
 * Gives a fork those of the objects that belong to its source, if the caller may download there: their
 * content need not be uploaded again. Knowing the id of an object is never enough.
 */
export async function adoptFromSource(
  { id, forkedFromId }: LfsProject,
  oids: readonly string[],
  viewer: Viewer | null,
  { db }: Pick<Context, 'db'>,
): Promise<void> {
  if (forkedFromId === null || oids.length === 0) return;
  const source = await db.project.findFirst({
    relationLoadStrategy: 'join',
    where: { id: forkedFromId, isRemoved: false },
    select: levelSelection(viewer),
  });
  if (!source || !canDownloadCode(viewer, levelInProject(viewer, source), source)) return;
  await transact(db, (tx) => linkObjects(tx, { from: forkedFromId, to: id }, oids));
}

/** Two projects: the objects of the first also become objects of the second. */
interface ObjectLinks {
  readonly from: number;
  readonly to: number;
}

/**
 * Gives a project all objects of another one, or those with these ids; idempotent. Their order lets concurrent
 * statements wait for each other instead of meeting in a deadlock.
 */
export async function linkObjects(
  tx: Transaction,
  { from, to }: ObjectLinks,
  oids: readonly string[] | null = null,
): Promise<void> {
  const condition = oids ? Prisma.sql`AND object.oid = ANY(${[...oids]}::text[])` : Prisma.empty;
  await tx.$executeRaw`
    INSERT INTO project_lfs_objects (project_id, object_id)
    SELECT ${to}, object.id
    FROM project_lfs_objects AS link JOIN lfs_objects AS object ON object.id = link.object_id
    WHERE link.project_id = ${from} ${condition}
    ORDER BY object.id
    ON CONFLICT DO NOTHING`;
}

/**
 * Stores a received file, whose content the caller has compared with `oid`, as an object of a project. Does
 * nothing if it is one already. Throws `notFound` if the project is removed meanwhile.
 */
export const storeObject = (
  projectId: number,
  { oid, size }: LfsContent,
  file: ReceivedFile,
  { db, lfs }: Pick<Context, 'db' | 'lfs'>,
): Promise<void> =>
  lfs.keep({ projectId, oid, file }, (place) =>
    transact(db, async (tx) => {
      // a removal of the same content, or another upload of it, happens before or after this
      await lockContent(tx, oid);
      const [project] = await tx.$queryRaw<unknown[]>`
        SELECT id FROM projects WHERE id = ${projectId} AND NOT is_removed FOR SHARE`;
      if (!project) throw notFound('Project');
      await place();
      await tx.$executeRaw`
        WITH created AS (
          INSERT INTO lfs_objects (oid, size) VALUES (${oid}, ${size})
          ON CONFLICT (oid) DO NOTHING RETURNING id
        )
        INSERT INTO project_lfs_objects (project_id, object_id)
        SELECT ${projectId}, id FROM (
          SELECT id FROM created UNION SELECT id FROM lfs_objects WHERE oid = ${oid}
        ) AS object
        ON CONFLICT DO NOTHING`;
    }),
  );

/** Whether an object has a record, with its content locked until the transaction ends. */
export async function isRecorded(tx: Transaction, oid: string): Promise<boolean> {
  await lockContent(tx, oid);
  return (await tx.lfsObject.count({ where: { oid } })) > 0;
}
