import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';

/**
 * Hides a namespace, which the transaction has taken, with everything below it, sets its paths free
 * and leaves the rest to a job that exists exactly if this is committed.
 */
export async function removeNamespace(
  tx: Transaction,
  id: number,
  jobs: Context['jobs'],
): Promise<void> {
  const below = `SELECT id FROM namespaces WHERE ancestor_ids @> ARRAY[$1]::int[]`;
  for (const table of ['routes', 'former_paths']) {
    await tx.$executeRawUnsafe(
      `DELETE FROM ${table} WHERE namespace_id IN (${below})
         OR project_id IN (SELECT id FROM projects WHERE namespace_id IN (${below}))`,
      id,
    );
  }
  await tx.$executeRawUnsafe(
    `UPDATE projects SET is_removed = true WHERE namespace_id IN (${below})`,
    id,
  );
  // its name is free for a sibling at once, and its owner's row may go
  await tx.$executeRawUnsafe(
    `UPDATE namespaces SET is_removed = true,
       owner_id = NULL,
       name = CASE WHEN id = $1 THEN name || ' removed ' || id ELSE name END
     WHERE ancestor_ids @> ARRAY[$1]::int[]`,
    id,
  );
  await jobs.enqueue('remove-namespace', { namespaceId: id }, tx);
}

/** How many projects leave in one transaction. */
const batch = 100;

/**
 * What the job does: takes the repositories and files of a removed namespace from the disk, then its
 * rows. A second time it finds less, or nothing.
 */
export async function eraseNamespace(
  namespaceId: number,
  parts: Pick<Context, 'db' | 'git' | 'uploads'>,
): Promise<void> {
  const { db, uploads } = parts;
  const namespaces = await db.namespace.findMany({
    where: { ancestorIds: { has: namespaceId }, isRemoved: true },
    select: { id: true },
  });
  const ids = namespaces.map(({ id }) => id);
  for (;;) {
    const projects = await db.project.findMany({
      where: { namespaceId: { in: ids }, isRemoved: true },
      orderBy: { id: 'asc' },
      take: batch,
      select: { id: true, storage: true, diskPath: true },
    });
    if (projects.length === 0) break;
    for (const project of projects) await eraseFiles(project, parts);
    await db.project.deleteMany({ where: { id: { in: projects.map(({ id }) => id) } } });
  }
  for (const id of ids) await uploads.removeAll({ kind: 'group', id });
  await db.namespace.deleteMany({ where: { id: { in: ids } } });
}

/** What the job of a single project does. */
export async function eraseProject(
  id: number,
  parts: Pick<Context, 'db' | 'git' | 'uploads'>,
): Promise<void> {
  const project = await parts.db.project.findFirst({
    where: { id, isRemoved: true },
    select: { id: true, storage: true, diskPath: true },
  });
  if (!project) return;
  await eraseFiles(project, parts);
  await parts.db.project.deleteMany({ where: { id } });
}

/** The disk first: the row is what tells a second attempt where to look. */
async function eraseFiles(
  { id, storage, diskPath }: { id: number; storage: string; diskPath: string },
  { git, uploads }: Pick<Context, 'git' | 'uploads'>,
): Promise<void> {
  await git.remove({ storage, diskPath });
  await uploads.removeAll({ kind: 'project', id });
}
