import { setTimeout as pause } from 'node:timers/promises';
import { type Database, Prisma, type Transaction } from '../../prisma/client.ts';

/** Milliseconds; a group with everything below it is removed in one. */
const longestTransaction = 60_000;

/** Whether a write was refused because a unique value is taken already. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError &&
  (error.code === 'P2002' || causeOf(error) === 'UniqueConstraintViolation');

/** What went wrong in SQL of our own, which Prisma reports under one code (P2010). */
const causeOf = ({ meta }: Prisma.PrismaClientKnownRequestError): string | undefined =>
  (meta as { driverAdapterError?: { cause?: { kind?: string } } } | undefined)?.driverAdapterError
    ?.cause?.kind;

/** Whether a record vanished under a write, or one it refers to did. */
export const isRecordMissing = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError &&
  (error.code === 'P2025' ||
    error.code === 'P2003' ||
    causeOf(error) === 'ForeignKeyConstraintViolation');

/** Thrown in a transaction that finds it has locked too little: it begins again. */
export const lockedTooLittle = new Error('Overtaken by another writer');

/**
 * Whether PostgreSQL gave one of two writers the way and this one may simply try again. Not so when no
 * transaction could be begun in time: the caller has waited long enough.
 */
const isRetryable = (error: unknown): boolean =>
  error === lockedTooLittle ||
  (error instanceof Prisma.PrismaClientKnownRequestError &&
    (error.code === 'P2034' || causeOf(error) === 'TransactionWriteConflict'));

/** Milliseconds; two that met once do not begin again at the same moment. */
const longestPause = 20;

/** All of `work` or nothing; again, a bounded number of times, when it lost against another. */
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
