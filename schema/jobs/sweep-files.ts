import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';

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

/** What that job does; a second time there is nothing left. */
export async function sweepJobFiles(
  id: number,
  { db, jobFiles }: Pick<Context, 'db' | 'jobFiles'>,
): Promise<void> {
  const job = await db.job.findUnique({
    where: { id },
    select: { id: true, projectId: true, artifactsFile: true, erasedAt: true },
  });
  // whoever removes a project takes all its files
  if (!job) return;
  if (job.erasedAt) await jobFiles.removeTrace(job);
  if (job.artifactsFile === null) await jobFiles.removeArtifacts(job);
}

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
