import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { JobPlace } from '../ports/job-files.ts';

/** How the record of a job says that it has no artifacts. */
export const noArtifacts = {
  artifactsFile: null,
  artifactsSize: null,
  artifactsExpireAt: null,
} as const;

/**
 * Leaves it to a job to take away those files of a CI job that its record, which the transaction has
 * changed, says nothing of any more: they go exactly if it is committed.
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

interface Swept extends JobPlace {
  readonly isErased: boolean;
  readonly hasArtifacts: boolean;
}

/** What that job does; a second time there is nothing left. */
export const sweepJobFiles = (
  id: number,
  { db, jobFiles }: Pick<Context, 'db' | 'jobFiles'>,
): Promise<void> =>
  transact(db, async (tx) => {
    // who leaves artifacts has the record until they are in their place: they come before, or after
    const [job] = await tx.$queryRaw<Swept[]>`
      SELECT id, project_id AS "projectId", erased_at IS NOT NULL AS "isErased",
        artifacts_file IS NOT NULL AS "hasArtifacts"
      FROM jobs WHERE id = ${id} FOR SHARE`;
    // whoever removes a project takes all its files
    if (!job) return;
    if (job.isErased) await jobFiles.removeTrace(job);
    if (!job.hasArtifacts) await jobFiles.removeArtifacts(job);
  });

/** How many go at once. */
const batch = 100;

/** Forgets artifacts whose time has come (v4-behaviour 3.12, `expire_in`). */
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
      const gone = await tx.job.updateManyAndReturn({
        // somebody may have kept them meanwhile
        where: { id: { in: expired.map(({ id }) => id) }, artifactsExpireAt: { lte: new Date() } },
        data: noArtifacts,
        select: { id: true },
      });
      await sweepLater(
        tx,
        gone.map(({ id }) => id),
        { jobs },
      );
    });
  }
}
