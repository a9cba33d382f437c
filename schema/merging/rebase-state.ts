import type { Prisma, Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';

/** Milliseconds; a rebase that began earlier was given up. */
const longestRebase = 15 * 60_000;

type RebaseColumns = Pick<Prisma.MergeRequestGetPayload<object>, 'rebaseStartedAt'>;

/** Whether the source branch is being rebased, or a job for it is queued. */
export const isRebasing = ({ rebaseStartedAt }: RebaseColumns): boolean =>
  rebaseStartedAt !== null && rebaseStartedAt.getTime() > Date.now() - longestRebase;

/** One rebase of a merge request; its start identifies it. */
interface RebaseKey {
  readonly id: number;
  readonly startedAt: Date;
}

/**
 * Marks an open merge request as being rebased. False if it is not open, or is being rebased. By
 * SQL, so that `updated_at` does not change.
 */
export async function startRebase(tx: Transaction, { id, startedAt }: RebaseKey): Promise<boolean> {
  const givenUp = new Date(startedAt.getTime() - longestRebase);
  const count = await tx.$executeRaw`
    UPDATE merge_requests SET rebase_started_at = ${startedAt}, merge_error = NULL
    WHERE id = ${id} AND state = 'opened'
      AND (rebase_started_at IS NULL OR rebase_started_at <= ${givenUp})`;
  return count > 0;
}

/** Ends a rebase with its error, or null; changes nothing if a later one has started. */
export async function endRebase(
  { id, startedAt }: RebaseKey,
  error: string | null,
  { db }: Pick<Context, 'db'>,
): Promise<void> {
  await db.$executeRaw`
    UPDATE merge_requests SET rebase_started_at = NULL, merge_error = ${error}
    WHERE id = ${id} AND rebase_started_at = ${startedAt}`;
}
