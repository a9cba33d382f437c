import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import type { Piscina } from 'piscina';
import { runTask, type TaskInput, type TaskResult } from './run-task.ts';

/** Heap limit of a thread in MB; the largest accepted CI file and text use half of it. */
export const heapLimit = 64;

/** Milliseconds after which an idle thread ends, to free its memory. */
const idleLimit = 20_000;

interface OpenThreads {
  readonly pool: Piscina;
  run(work: TaskInput, signal: AbortSignal): Promise<TaskResult>;
  /** Aborts if the tasks that wait now would never run: their thread ended while it started. */
  stranded(): AbortSignal;
}

/** Loads the library and starts threads at the first task. */
export function threadsOnDemand(threads: number, log: Logger) {
  let opened: Promise<OpenThreads> | null = null;
  const open = async (): Promise<OpenThreads> => {
    const { Piscina } = await import('piscina');
    liftHeapFlags();
    const pool = new Piscina({
      filename: fileURLToPath(new URL('run-task.ts', import.meta.url)),
      name: runTask.name,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleLimit,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: 8 },
      // tasks need no secrets from the environment
      env: {},
    });
    // a thread that ends without a task
    pool.on('error', (error) => log.warn({ err: error }, 'worker thread failed'));
    let waiting = new AbortController();
    // the library starts no other thread for tasks that wait for one that has failed
    pool.on('workerDestroy', () =>
      setImmediate(() => {
        if (pool.threads.length > 0 || pool.queueSize === 0) return;
        waiting.abort(new Error('a thread could not start'));
        waiting = new AbortController();
      }),
    );
    return {
      pool,
      stranded: () => waiting.signal,
      run: async (work, signal) => {
        const ending = new AbortController();
        const end = () => ending.abort(signal.reason);
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
        try {
          return await pool.run(work, { signal: ending.signal });
        } catch (error) {
          // the library keeps the task, and would reject a promise that it has given to no caller
          if (isUnstarted(error)) opened = null;
          throw error;
        } finally {
          signal.removeEventListener('abort', end);
        }
      },
    };
  };
  return {
    get: () => {
      opened ??= open();
      return opened;
    },
    close: async () => {
      await (await opened)?.pool.destroy();
    },
  };
}

/** A thread can throw anything. */
export const codeOf = (error: unknown): unknown =>
  (error as { readonly code?: unknown } | null)?.code;

/** Whether the system refused to start a thread. */
export const isUnstarted = (error: unknown): boolean => codeOf(error) === 'ERR_WORKER_INIT_FAILED';

/**
 * `--max-old-space-size` and `--max-semi-space-size` would take precedence over the limits of a thread.
 * V8 reads them when it creates a heap, so the limit of the main thread stays.
 */
function liftHeapFlags(): void {
  setFlagsFromString('--max-old-space-size=0');
  setFlagsFromString('--max-semi-space-size=0');
}
