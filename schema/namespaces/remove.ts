import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { contentsOf } from './contents.ts';

/**
 * Hides a namespace, which the transaction has taken, with everything below it, sets its paths free
 * and leaves the rest to a job that exists exactly if this is committed.
 */
export async function removeNamespace(
  tx: Transaction,
  id: number,
  jobs: Context['jobs'],
): Promise<void> {
  const { namespaceIds, projectIds } = await contentsOf(tx, id);
  // ahead of their routes and in order of ids, as everybody takes them
  const gone = await tx.$queryRaw<{ forkedFromId: number | null }[]>`
    UPDATE projects SET is_removed = true
    FROM (
      SELECT id FROM projects
      WHERE id = ANY(${projectIds}::int[]) AND NOT is_removed ORDER BY id FOR NO KEY UPDATE
    ) taken
    WHERE projects.id = taken.id
    RETURNING projects.forked_from_id AS "forkedFromId"`;
  await discountForks(tx, gone);
  for (const table of ['routes', 'former_paths']) {
    // two conditions joined by OR would have the whole table read
    for (const [owner, ids] of [
      ['namespace_id', namespaceIds],
      ['project_id', projectIds],
    ]) {
      await tx.$executeRawUnsafe(`DELETE FROM ${table} WHERE ${owner} = ANY($1::int[])`, ids);
    }
  }
  // its name is free for a sibling at once, under one that nobody can give; its owner's row may go
  await tx.$executeRaw`
    UPDATE namespaces SET is_removed = true,
      owner_id = NULL,
      name = CASE WHEN id = ${id} THEN name || '/' || id ELSE name END
    WHERE id = ANY(${namespaceIds}::int[])`;
  await jobs.enqueue('remove-namespace', { namespaceId: id }, tx);
}

/** What projects that go were forked from has so many forks less. */
async function discountForks(
  tx: Transaction,
  gone: readonly { readonly forkedFromId: number | null }[],
): Promise<void> {
  const sourceIds = gone.flatMap(({ forkedFromId }) => forkedFromId ?? []);
  if (sourceIds.length === 0) return;
  await tx.$executeRaw`
    UPDATE projects SET forks_count = greatest(forks_count - taken.count, 0)
    FROM (
      SELECT projects.id, lost.count
      FROM projects JOIN (
        SELECT id, count(*)::int AS count FROM unnest(${sourceIds}::int[]) AS id GROUP BY id
      ) lost ON lost.id = projects.id
      ORDER BY projects.id FOR NO KEY UPDATE OF projects
    ) taken
    WHERE projects.id = taken.id`;
}

type Parts = Pick<Context, 'db' | 'git' | 'jobFiles' | 'uploads'>;

/** How many rows leave in one transaction. */
const batch = 100;

/**
 * What the job does: takes the repositories and files of a removed namespace from the disk, then its
 * rows. A second time it finds less, or nothing.
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
    // the deepest first: no row takes others along, and the namespace itself is the last to go
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

/** What the job of a single project does. */
export async function eraseProject(id: number, parts: Parts): Promise<void> {
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
  { git, jobFiles, uploads }: Pick<Context, 'git' | 'jobFiles' | 'uploads'>,
): Promise<void> {
  await git.remove({ storage, diskPath });
  await uploads.removeAll({ kind: 'project', id });
  await jobFiles.removeAll(id);
}
