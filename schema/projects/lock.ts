import type { Project, Transaction } from '../../prisma/client.ts';
import { notFound } from '../kernel/errors.ts';

/** Fields that may have changed while waiting for the row lock. */
export type LockedProject = Pick<
  Project,
  'name' | 'path' | 'fullPath' | 'visibility' | 'forkedFromId' | 'updatedAt'
>;

/**
 * Locks a project until the transaction ends; throws if it is removed. To avoid deadlocks,
 * namespaces are locked before it, routes and users after it.
 */
export async function lockProject(tx: Transaction, id: number): Promise<LockedProject> {
  const [project] = await tx.$queryRaw<LockedProject[]>`
    SELECT name, path, visibility::text, full_path AS "fullPath",
      forked_from_id AS "forkedFromId", updated_at AS "updatedAt"
    FROM projects WHERE id = ${id} AND NOT is_removed FOR UPDATE`;
  if (!project) throw notFound('Project');
  return project;
}
