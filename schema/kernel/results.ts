import { DomainError } from './errors.ts';

/** The result of a mutation when its work is done: the id of what it deleted, or true. */
export async function done<Result = true>(
  work: Promise<unknown>,
  result: Result = true as Result,
): Promise<Result> {
  await work;
  return result;
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
