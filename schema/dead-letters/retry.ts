import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import type { JobKind, JobPayloads } from '../ports/jobs.ts';

/**
 * Enqueues a dead job again and deletes its record. Throws CONFLICT if the job can no longer do its
 * work, and NOT_FOUND if another user was faster.
 */
export function retryDeadLetter(
  id: number,
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
): Promise<void> {
  return db.$transaction(async (tx) => {
    const deadLetter = await tx.deadLetter.findUnique({ where: { id } });
    const { count } = await tx.deadLetter.deleteMany({ where: { id } });
    if (!deadLetter || count === 0) throw notFound('Dead letter');
    const kind = deadLetter.kind as JobKind;
    const payload = deadLetter.payload as unknown as JobPayloads[typeof kind];
    await undoFailure(kind, payload, tx);
    await jobs.enqueue(kind, payload, tx);
  });
}

/** Undoes the consequences of the failure that would stop the job. */
async function undoFailure(kind: JobKind, payload: object, tx: Transaction): Promise<void> {
  const { projectId } = payload as { readonly projectId: number };
  if (kind === 'import-project') {
    const left = await tx.project.count({ where: { id: projectId, importSourceSealed: null } });
    if (left > 0) throw conflict('The source of this import is not kept: import it again');
  }
  if (kind === 'fork-project') {
    await tx.project.updateMany({
      where: { id: projectId, importStatus: 'failed' },
      data: { importStatus: 'scheduled', importError: null },
    });
  }
}
