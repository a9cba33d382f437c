import type { Context } from '../kernel/context.ts';
import { pathNotFound } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { type CiStatus, isFinished } from '../pipelines/status.ts';
import type { JobPlace } from '../ports/job-files.ts';

/** A job whose status decides whether its trace may have been archived. */
export interface TracedJob extends JobPlace {
  readonly status: CiStatus;
}

/**
 * Runs `append`, which appends to the trace of a job. That of a finished job may have been archived: it is
 * reopened, and not archived until `append` has ended.
 */
export function whileOpen<T>(
  { id, projectId, status }: TracedJob,
  append: () => Promise<T>,
  { db, jobFiles }: Pick<Context, 'db' | 'jobFiles'>,
): Promise<T> {
  if (!isFinished(status)) return append();
  return jobFiles.reopenInTurn({ id, projectId }, () =>
    transact(db, async (tx) => {
      const jobs = await tx.$queryRaw<
        object[]
      >`SELECT id FROM jobs WHERE id = ${id} FOR NO KEY UPDATE`;
      // deleted since its token was checked
      if (jobs.length === 0) throw pathNotFound();
      await jobFiles.reopenTrace({ id, projectId });
      return append();
    }),
  );
}
