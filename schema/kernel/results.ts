import { DomainError } from './errors.ts';

/** The result of a mutation that returns no record: true when the work is done. */
export async function done(work: Promise<unknown>): Promise<boolean> {
  await work;
  return true;
}

/** The record; throws `refusal` if there is none. */
export async function orThrow<T>(record: Promise<T | null>, refusal: () => Error): Promise<T> {
  const existing = await record;
  if (existing === null) throw refusal();
  return existing;
}

const hidden: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND']);

/**
 * The value of an edge: null, without an error, where the viewer may not see it. A list of projects
 * would otherwise have an error for each project whose issues are disabled.
 */
export async function ifVisible<T>(value: () => Promise<T>): Promise<T | null> {
  try {
    return await value();
  } catch (error) {
    if (error instanceof DomainError && hidden.has(error.code)) return null;
    throw error;
  }
}
