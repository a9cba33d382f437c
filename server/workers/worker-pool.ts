import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import type { Piscina } from 'piscina';
import { tooCostly, unavailable } from '../../schema/kernel/errors.ts';
import { systemFailure } from '../../schema/kernel/outage.ts';
import type { TaskCaller, WorkerPool, WorkerTask } from '../../schema/ports/worker-pool.ts';
import type { Admission } from '../queueing/group-queue.ts';
import { QueueRefusal } from '../queueing/refusal.ts';
import { backgroundCaller, type Caller, callerOf } from '../scheduling/caller.ts';
import { type CallerEntrant, currentEntrants } from '../scheduling/entrants.ts';
import { kindQueue } from '../scheduling/heavy-work.ts';
import { penalise } from '../scheduling/penalties.ts';
import { currentCaller, runAs } from '../scheduling/scope.ts';
import { mostRunning } from '../scheduling/shares.ts';
import { type Outcome, type TaskMetrics, taskMetrics } from './metrics.ts';
import { runTask, type ThreadTask } from './run-task.ts';
import { sharedResults } from './shared-results.ts';

const threadFile = fileURLToPath(new URL('run-task.ts', import.meta.url));

export interface WorkerThreads extends WorkerPool {
  readonly metrics: TaskMetrics['all'];
  /** Terminates all threads; refuses waiting and running tasks. */
  close(): Promise<void>;
}

export interface WorkerPoolOptions {
  readonly log: Logger;
  readonly threads?: number;
  readonly waiting?: number;
  /** Milliseconds that a task may wait for a thread. */
  readonly waitLimit?: number;
}

/** At least two: a single caller may use all but one. */
const defaultThreads = Math.max(2, Math.min(4, availableParallelism()));

/** Heap limit of a thread in MB; the largest accepted CI file and text use half of it. */
const heapLimit = 64;

/** Milliseconds after which an idle thread ends, to free its memory. */
const idleLimit = 20_000;

/** Retry-After of a refused caller, in seconds. */
const retryAfter = 2;

/**
 * Threads for `WorkerTask`s, started on demand and ended when idle. A task that exceeds its time or
 * memory limit ends only its thread.
 */
export function workerPool(options: WorkerPoolOptions): WorkerThreads {
  const { log, threads = defaultThreads, waiting = 64, waitLimit = 10_000 } = options;
  const queue = kindQueue({
    kind: 'threads',
    places: threads,
    limits: {
      perCaller: Math.max(1, threads - 1),
      waiting,
      waitingPerCaller: Math.ceil(waiting / 8),
      waitLimit,
    },
  });
  const metrics = taskMetrics(queue);
  const opened = threadsOnDemand(mostRunning(threads), log);
  const shared = sharedResults();
  let isClosed = false;

  const runInThread = async <Input, Output>(
    task: WorkerTask<Input, Output>,
    input: Input,
    { signal }: TaskCaller,
  ): Promise<Output> => {
    const pool = await opened.get();
    const timeout = AbortSignal.timeout(task.timeLimit);
    const threadTask: ThreadTask = {
      filename: fileURLToPath(task.module),
      name: task.work.name,
      input,
    };
    const end = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const ended = new AbortController();
    const abort = () => ended.abort(end.reason);
    if (end.aborted) abort();
    end.addEventListener('abort', abort);
    try {
      const options = { filename: threadFile, name: runTask.name, signal: ended.signal };
      return await pool.run(threadTask, options);
    } catch (error) {
      // no thread could be started: the library keeps the task for the next one, and nothing awaits its end
      if (systemFailure(error) === 'exhausted') {
        threadTask.filename = null;
        end.removeEventListener('abort', abort);
      }
      signal?.throwIfAborted();
      if (isClosed) throw new QueueRefusal('closed');
      if (timeout.aborted) throw new LimitExceeded('timeout');
      if (isThreadLost(error)) throw new ThreadLost((error as Error).message);
      throw isOutOfMemory(error) ? new LimitExceeded('memory') : error;
    }
  };

  const runInTurn = async <Input, Output>(
    task: WorkerTask<Input, Output>,
    input: Input,
    caller: TaskCaller,
  ): Promise<Output> => {
    const finish = metrics.start(task.kind);
    let outcome: Outcome = 'failed';
    let admission: Admission<CallerEntrant> | null = null;
    try {
      admission = await queue.admit(currentEntrants(), caller.signal);
      const result = await runInThread(task, input, caller);
      outcome = 'done';
      return result;
    } catch (error) {
      outcome = outcomeOf(error, caller);
      if (admission && error instanceof LimitExceeded) penalise(admission.entrant.of);
      throw translated(error, task, log);
    } finally {
      admission?.leave();
      finish(outcome);
    }
  };

  return {
    metrics: metrics.all,
    run: async (task, input, caller) =>
      task.isSmall?.(input)
        ? task.work(input)
        : asCaller(caller, () => shared(task, input, () => runInTurn(task, input, caller))),
    close: async () => {
      isClosed = true;
      queue.close();
      await opened.close();
    },
  };
}

/** Loads the library and starts threads at the first task. */
function threadsOnDemand(threads: number, log: Logger) {
  let pool: Promise<Piscina> | null = null;
  const open = async (): Promise<Piscina> => {
    const { Piscina } = await import('piscina');
    liftHeapFlags();
    const created = new Piscina({
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleLimit,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: 8 },
      // tasks need no secrets from the environment
      env: {},
    });
    // a thread that ends without a task
    created.on('error', (error) => log.warn({ err: error }, 'worker thread failed'));
    return created;
  };
  return {
    get: () => {
      pool ??= open();
      return pool;
    },
    close: async () => {
      await (await pool)?.destroy();
    },
  };
}

/**
 * `--max-old-space-size` and `--max-semi-space-size` would take precedence over the limits of a thread.
 * V8 reads them when it creates a heap, so the limit of the main thread stays.
 */
function liftHeapFlags(): void {
  setFlagsFromString('--max-old-space-size=0');
  setFlagsFromString('--max-semi-space-size=0');
}

class LimitExceeded extends Error {
  readonly limit: 'timeout' | 'memory';

  constructor(limit: 'timeout' | 'memory') {
    super(limit);
    this.limit = limit;
  }
}

/** The thread has ended by itself, and the library starts another. */
class ThreadLost extends Error {}

const isThreadLost = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('worker exited with code');

/** A thread at its heap limit, or a string or array beyond the engine's limits. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof RangeError ||
  (error as { readonly code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Runs work of the current caller, or of a caller that is known only here. */
const asCaller = <Result>(caller: TaskCaller, work: () => Result): Result =>
  currentCaller() ? work() : runAs(callerOfTask(caller), work);

function callerOfTask(caller: TaskCaller): Caller {
  if ('projectId' in caller) return backgroundCaller(caller.projectId);
  if ('address' in caller) return callerOf(null, caller.address);
  return callerOf({ id: caller.userId, createdAt: new Date(0) }, '');
}

function outcomeOf(error: unknown, { signal }: TaskCaller): Outcome {
  if (error instanceof QueueRefusal) return 'refused';
  if (error instanceof LimitExceeded) return error.limit;
  return signal?.aborted ? 'aborted' : 'failed';
}

function translated(
  error: unknown,
  { kind, subject, timeLimit }: Pick<WorkerTask<never, unknown>, 'kind' | 'subject' | 'timeLimit'>,
  log: Logger,
): unknown {
  if (error instanceof QueueRefusal) {
    log.warn({ kind, reason: error.message }, 'worker task refused');
    return unavailable(retryAfter);
  }
  if (error instanceof ThreadLost) {
    log.error({ kind, reason: error.message }, 'a worker thread ended');
    return unavailable(retryAfter);
  }
  if (!(error instanceof LimitExceeded)) return error;
  log.warn({ kind, limit: error.limit }, 'worker task exceeded a limit');
  return tooCostly(
    error.limit === 'timeout'
      ? `${subject} takes too long to process (maximum is ${timeLimit / 1000} seconds)`
      : `${subject} needs too much memory to process (maximum is ${heapLimit} MB)`,
  );
}
