import { LRUCache } from 'lru-cache';
import { DomainError } from '../../schema/kernel/errors.ts';
import { SharedCallers } from '../scheduling/scope.ts';

/** Milliseconds for which an input that exceeded a limit is refused without another attempt. */
const refusedFor = 60_000;

type Result = { readonly output: unknown } | { readonly tooCostly: DomainError };

/**
 * Keeps results of work up to a total size, and lets callers with the same key wait for one run: 100
 * simultaneous requests for a page then need one thread, not 100 turns. A result must not depend on
 * its caller.
 */
export function keptResults(capacity: number) {
  const kept = new LRUCache<string, Result>({ maxSize: capacity });
  const running = new Map<
    string,
    { readonly work: Promise<unknown>; readonly callers: SharedCallers }
  >();

  const keep = async <Output>(
    key: string,
    sizeOf: (output: Output) => number,
    run: () => Promise<Output>,
  ): Promise<Output> => {
    try {
      const output = await run();
      kept.set(key, { output }, { size: 1 + sizeOf(output) });
      return output;
    } catch (error) {
      if (isTooCostly(error)) kept.set(key, { tooCostly: error }, { size: 1, ttl: refusedFor });
      throw error;
    }
  };

  return async <Output>(
    key: string,
    sizeOf: (output: Output) => number,
    run: () => Promise<Output>,
  ): Promise<Output> => {
    const other = running.get(key);
    // it may fail for a reason of its own caller, such as a closed connection
    other?.callers.join();
    if (other) await other.work.catch(() => {});
    const result = kept.get(key);
    if (result && 'tooCostly' in result) throw result.tooCostly;
    if (result) return result.output as Output;
    const callers = new SharedCallers();
    const work = callers.run(() => keep(key, sizeOf, run));
    const started = { work, callers };
    running.set(key, started);
    try {
      return await work;
    } finally {
      if (running.get(key) === started) running.delete(key);
    }
  };
}

const isTooCostly = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.reason === 'too-costly';
