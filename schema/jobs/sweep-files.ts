import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { ObjectsUnavailable } from '../kernel/outage.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { JobPlace } from '../ports/job-files.ts';

/** The columns of a job without artifacts. */
export const noArtifacts = {
  artifactsFile: null,
  artifactsSize: null,
  artifactsExpireAt: null,
} as const;

/**
 * Enqueues the deletion of those files of a CI job that its record, as changed by the transaction,
 * no longer references: they are deleted exactly if it commits.
 */
export const sweepLater = (
  tx: Transaction,
  ids: readonly number[],
  { jobs }: Pick<Context, 'jobs'>,
): Promise<void> =>
  jobs.enqueueAll(
    'sweep-job-files',
    ids.map((id) => ({ id })),
    tx,
  );

/** Enqueues the deletion of all files of jobs whose records the transaction deletes. */
export const sweepDeletedLater = (
  tx: Transaction,
  deleted: readonly JobPlace[],
  { jobs }: Pick<Context, 'jobs'>,
): Promise<void> => jobs.enqueueAll('sweep-job-files', deleted, tx);

interface Swept extends JobPlace {
  readonly isErased: boolean;
  readonly hasArtifacts: boolean;
}

/** Handles that job; idempotent. `projectId`: the project of a job that was deleted. */
export const sweepJobFiles = (
  { id, projectId }: { readonly id: number; readonly projectId?: number | undefined },
  { db, jobFiles }: Pick<Context, 'db' | 'jobFiles'>,
): Promise<void> =>
  transact(db, async (tx) => {
    // an upload of artifacts locks the record until the files are in place: it happens before or
    // after this
    const [job] = await tx.$queryRaw<Swept[]>`
      SELECT id, project_id AS "projectId", erased_at IS NOT NULL AS "isErased",
        artifacts_file IS NOT NULL AS "hasArtifacts"
      FROM jobs WHERE id = ${id} FOR SHARE`;
    if (!job) {
      // without a project: the removal of a project deletes all its files
      if (projectId === undefined) return;
      await jobFiles.removeTrace({ id, projectId });
      await jobFiles.removeArtifacts({ id, projectId });
      return;
    }
    if (job.isErased) await jobFiles.removeTrace(job);
    if (!job.hasArtifacts) await jobFiles.removeArtifacts(job);
  });

/** The same at once for one job, unless the store fails: then the enqueued deletion repeats it. */
export const sweepNow = (id: number, parts: Pick<Context, 'db' | 'jobFiles'>): Promise<void> =>
  sweepJobFiles({ id }, parts).catch((error: unknown) => {
    if (!(error instanceof ObjectsUnavailable)) throw error;
  });

/** Batch size. */
const batch = 100;

/** Deletes expired artifacts (v4-behaviour 3.12, `expire_in`). */
export async function expireArtifacts({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  for (;;) {
    const expired = await db.job.findMany({
      where: { artifactsExpireAt: { lte: new Date() } },
      orderBy: { artifactsExpireAt: 'asc' },
      take: batch,
      select: { id: true },
    });
    if (expired.length === 0) return;
    await db.$transaction(async (tx) => {
      const swept = await tx.job.updateManyAndReturn({
        // a user may have kept them in the meantime
        where: { id: { in: expired.map(({ id }) => id) }, artifactsExpireAt: { lte: new Date() } },
        data: noArtifacts,
        select: { id: true },
      });
      await sweepLater(
        tx,
        swept.map(({ id }) => id),
        { jobs },
      );
    });
  }
}
