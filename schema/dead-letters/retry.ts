import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import type { JobKind, JobPayloads } from '../ports/jobs.ts';

/**
 * Enqueues a job that was given up once more and forgets the failure. Refuses with CONFLICT where it
 * could not do its work any more, and with NOT_FOUND where another user was quicker.
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
    await reopen(kind, payload, tx);
    await jobs.enqueue(kind, payload, tx);
  });
}

/** Undoes what followed from the failure, as far as the job depends on it. */
async function reopen(kind: JobKind, payload: object, tx: Transaction): Promise<void> {
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
