import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../schema/kernel/errors.ts';
import type { WorkerTask } from '../../schema/ports/worker-pool.ts';

/** Characters of all kept results: 4 to 8 MB. */
const capacity = 4 * 1024 * 1024;

/** Milliseconds for which an input that exceeded a limit is refused without another attempt. */
const refusedFor = 60_000;

type Result = { readonly output: unknown } | { readonly tooCostly: DomainError };

/**
 * Keeps results of tasks that have `sizeOf`, and lets callers with the same input wait for one run:
 * 100 simultaneous requests for a page then need one thread, not 100 turns. Tasks are pure, so a
 * result does not depend on the caller.
 */
export function sharedResults() {
  const kept = new LRUCache<string, Result>({ maxSize: capacity });
  const running = new Map<string, Promise<unknown>>();

  const keep = async <Output>(
    key: string,
    { sizeOf }: WorkerTask<never, Output>,
    run: () => Promise<Output>,
  ): Promise<Output> => {
    try {
      const output = await run();
      kept.set(key, { output }, { size: 1 + (sizeOf?.(output) ?? 0) });
      return output;
    } catch (error) {
      if (isTooCostly(error)) kept.set(key, { tooCostly: error }, { size: 1, ttl: refusedFor });
      throw error;
    }
  };

  return async <Input, Output>(
    task: WorkerTask<Input, Output>,
    input: Input,
    run: () => Promise<Output>,
  ): Promise<Output> => {
    if (!task.sizeOf) return run();
    const key = keyOf(task.kind, input);
    const other = running.get(key);
    // it may fail for a reason of its own caller, such as a closed connection
    if (other) await other.catch(() => {});
    const result = kept.get(key);
    if (result && 'tooCostly' in result) throw result.tooCostly;
    if (result) return result.output as Output;
    const started = keep(key, task, run);
    running.set(key, started);
    try {
      return await started;
    } finally {
      if (running.get(key) === started) running.delete(key);
    }
  };
}

const keyOf = (kind: string, input: unknown): string =>
  createHash('sha256').update(kind).update(JSON.stringify(input)).digest('base64');

const isTooCostly = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.reason === 'too-costly';
