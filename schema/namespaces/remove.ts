import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { readNamespaceContents } from './contents.ts';

/**
 * Hides a namespace, which the transaction has locked, with everything below it, frees its paths
 * and enqueues a job for the rest in the same transaction.
 */
export async function removeNamespace(
  tx: Transaction,
  id: number,
  jobs: Context['jobs'],
): Promise<void> {
  const { namespaceIds, projectIds } = await readNamespaceContents(tx, id);
  // before their routes and in order of ids, as everywhere
  const removedProjects = await tx.$queryRaw<{ forkedFromId: number | null }[]>`
    UPDATE projects SET is_removed = true
    FROM (
      SELECT id FROM projects
      WHERE id = ANY(${projectIds}::int[]) AND NOT is_removed ORDER BY id FOR NO KEY UPDATE
    ) locked
    WHERE projects.id = locked.id
    RETURNING projects.forked_from_id AS "forkedFromId"`;
  await discountForks(tx, removedProjects);
  for (const table of ['routes', 'former_paths']) {
    // conditions joined by OR would scan the whole table
    for (const [owner, ids] of [
      ['namespace_id', namespaceIds],
      ['project_id', projectIds],
    ]) {
      await tx.$executeRawUnsafe(`DELETE FROM ${table} WHERE ${owner} = ANY($1::int[])`, ids);
    }
  }
  // frees the name by one that no user can choose; the owner's row may be deleted
  await tx.$executeRaw`
    UPDATE namespaces SET is_removed = true,
      owner_id = NULL,
      name = CASE WHEN id = ${id} THEN name || '/' || id ELSE name END
    WHERE id = ANY(${namespaceIds}::int[])`;
  await jobs.enqueue('remove-namespace', { namespaceId: id }, tx);
}

/** Decrements the fork counts of the sources of removed forks. */
async function discountForks(
  tx: Transaction,
  removedProjects: readonly { readonly forkedFromId: number | null }[],
): Promise<void> {
  const sourceIds = removedProjects.flatMap(({ forkedFromId }) => forkedFromId ?? []);
  if (sourceIds.length === 0) return;
  await tx.$executeRaw`
    UPDATE projects SET forks_count = greatest(forks_count - locked.count, 0)
    FROM (
      SELECT projects.id, removed_forks.count
      FROM projects JOIN (
        SELECT id, count(*)::int AS count FROM unnest(${sourceIds}::int[]) AS id GROUP BY id
      ) removed_forks ON removed_forks.id = projects.id
      ORDER BY projects.id FOR NO KEY UPDATE OF projects
    ) locked
    WHERE projects.id = locked.id`;
}

type Parts = Pick<Context, 'db' | 'git' | 'jobFiles' | 'uploads'>;

/** Rows deleted per transaction. */
const batch = 100;

/**
 * The job: removes the repositories and files of a removed namespace from the disk, then its rows.
 * Idempotent.
 */
export async function eraseNamespace(namespaceId: number, parts: Parts): Promise<void> {
  const { db, uploads } = parts;
  const within = { ancestorIds: { has: namespaceId }, isRemoved: true };
  for (;;) {
    const projects = await db.project.findMany({
      where: { namespace: within },
      take: batch,
      select: { id: true, storage: true, diskPath: true },
    });
    if (projects.length === 0) break;
    for (const project of projects) await eraseFiles(project, parts);
    await db.project.deleteMany({ where: { id: { in: projects.map(({ id }) => id) } } });
  }
  for (;;) {
    // the deepest first, so that no delete cascades; the namespace itself is the last
    const namespaces = await db.namespace.findMany({
      where: { ...within, children: { none: {} } },
      take: batch,
      select: { id: true },
    });
    if (namespaces.length === 0) break;
    for (const { id } of namespaces) await uploads.removeAll({ kind: 'group', id });
    await db.namespace.deleteMany({ where: { id: { in: namespaces.map(({ id }) => id) } } });
  }
}

/** The job of a single project. */
export async function eraseProject(id: number, parts: Parts): Promise<void> {
  const project = await parts.db.project.findFirst({
    where: { id, isRemoved: true },
    select: { id: true, storage: true, diskPath: true },
  });
  if (!project) return;
  await eraseFiles(project, parts);
  await parts.db.project.deleteMany({ where: { id } });
}

/** Removes files before the row, because a second attempt needs the row to find them. */
async function eraseFiles(
  { id, storage, diskPath }: { id: number; storage: string; diskPath: string },
  { git, jobFiles, uploads }: Pick<Context, 'git' | 'jobFiles' | 'uploads'>,
): Promise<void> {
  await git.remove({ storage, diskPath });
  await uploads.removeAll({ kind: 'project', id });
  await jobFiles.removeAll(id);
}
