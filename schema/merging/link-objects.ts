import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { linkObjects } from '../lfs/objects.ts';
import type { JobPayloads } from '../ports/jobs.ts';

/** Enqueues the job if a merge request comes from another project that has LFS objects. */
export async function linkObjectsLater(
  tx: Transaction,
  mergeRequestId: number,
  { jobs }: Pick<Context, 'jobs'>,
): Promise<void> {
  const [mergeRequest] = await tx.$queryRaw<{ projectId: number }[]>`
    SELECT project_id AS "projectId" FROM merge_requests
    WHERE id = ${mergeRequestId} AND source_project_id <> project_id
      AND EXISTS (SELECT FROM project_lfs_objects WHERE project_id = merge_requests.source_project_id)`;
  if (!mergeRequest) return;
  await jobs.enqueue('link-merged-objects', { ...mergeRequest, mergeRequestId }, tx);
}

/**
 * The job: gives the target project those LFS objects of the source project that the merged commits refer
 * to. Idempotent.
 */
export async function linkMergedObjects(
  { mergeRequestId }: JobPayloads['link-merged-objects'],
  signal: AbortSignal,
  { db, git }: Pick<Context, 'db' | 'git'>,
): Promise<void> {
  const mergeRequest = await db.mergeRequest.findUnique({
    relationLoadStrategy: 'join',
    where: { id: mergeRequestId },
    select: {
      sha: true,
      baseSha: true,
      sourceProjectId: true,
      project: { select: { id: true, storage: true, diskPath: true, isRemoved: true } },
    },
  });
  if (!mergeRequest?.sha || mergeRequest.project.isRemoved) return;
  const { sha: head, baseSha, sourceProjectId: from, project } = mergeRequest;
  if (from === null) return;
  const commits = { head, without: baseSha === null ? [] : [baseSha] };
  for await (const oids of git.lfsPointers(project, commits, signal)) {
    await transact(db, (tx) => linkObjects(tx, { from, to: project.id }, oids));
  }
}
