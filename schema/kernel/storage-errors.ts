import { setTimeout as pause } from 'node:timers/promises';
import { type Database, Prisma, type Transaction } from '../../prisma/client.ts';
import { isConflict, resultTooLarge } from '../../prisma/failures.ts';
import { type DomainError, recordNotFound, tooCostly, unavailable } from './errors.ts';

/** Milliseconds; removing a group with everything below it is one transaction. */
const longestTransaction = 60_000;

/** Whether a write failed because a unique value already exists. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError &&
  (error.code === 'P2002' || causeOf(error) === 'UniqueConstraintViolation');

/** The cause of an error in raw SQL, for which Prisma has only one code (P2010). */
const causeOf = ({ meta }: Prisma.PrismaClientKnownRequestError): string | undefined =>
  (meta as { driverAdapterError?: { cause?: { kind?: string } } } | undefined)?.driverAdapterError
    ?.cause?.kind;

/** Whether a record, or one that it refers to, was deleted before a write. */
export const isRecordMissing = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError &&
  (error.code === 'P2025' ||
    error.code === 'P2003' ||
    causeOf(error) === 'ForeignKeyConstraintViolation');

/** Seconds; most responses are sent in less. */
const soon = 5;

/** The response to a statement that failed for its caller's reasons or those of others; null if it failed otherwise. */
export function refusalByStorage(error: unknown): DomainError | null {
  // a concurrent request deleted the record, or one that it refers to
  if (isRecordMissing(error)) return recordNotFound();
  const refused = resultTooLarge(error);
  if (!refused) return null;
  return refused.isTemporary
    ? unavailable(soon)
    : tooCostly('The response would be too large. Request fewer records at a time.');
}

/** For `catch`: throws `refusal` in place of a unique violation. */
export const onUniqueViolation =
  (refusal: () => Error) =>
  (error: unknown): never => {
    throw isUniqueViolation(error) ? refusal() : error;
  };

/** The same if a record is missing. */
export const onRecordMissing =
  (refusal: () => Error) =>
  (error: unknown): never => {
    throw isRecordMissing(error) ? refusal() : error;
  };

/** Thrown in a transaction that has not locked enough rows; it is retried. */
export const insufficientLocks = new Error('Overtaken by another writer');

/**
 * Whether the transaction lost a conflict and can be retried. A timeout before a transaction began
 * is not retried: the caller has already waited long enough.
 */
const isRetryable = (error: unknown): boolean => error === insufficientLocks || isConflict(error);

/** Milliseconds; random, so that two conflicting transactions do not restart together. */
const longestPause = 20;

/** Locks a text that stands for something without a row, until the transaction ends. */
export async function lockKey(tx: Transaction, key: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 AS held FROM pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
}

/** Runs `work` in a transaction. Retries a bounded number of times after losing a conflict. */
export async function transact<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  attempts = 5,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.$transaction(work, { timeout: longestTransaction });
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error;
      await pause(Math.random() * longestPause * attempt);
    }
  }
}
