import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { tooCostly, unavailable } from '../../schema/kernel/errors.ts';
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
import type { TaskResult } from './run-task.ts';
import { sharedResults } from './shared-results.ts';
import { PoisonousInput, threadLosses } from './thread-losses.ts';
import { codeOf, heapLimit, isUnstarted, threadsOnDemand } from './threads.ts';

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

/** Retry-After of a refused caller, in seconds. */
const retryAfter = 2;

/**
 * Threads for `WorkerTask`s, started on demand and ended when idle. A task that exceeds its time or
 * memory limit, or ends its thread by itself, ends only that one.
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
  const losses = threadLosses();
  let isClosed = false;

  const runInThread = async <Input, Output>(
    task: WorkerTask<Input, Output>,
    input: Input,
    { signal }: TaskCaller,
  ): Promise<Output> => {
    losses.check(task, input);
    const { run, stranded } = await opened.get();
    const timeout = AbortSignal.timeout(task.timeLimit);
    const stranding = stranded();
    const signals = [timeout, stranding, ...(signal ? [signal] : [])];
    try {
      const work = { module: task.module, name: task.work.name, input };
      return outputOf<Output>(await run(work, AbortSignal.any(signals)));
    } catch (error) {
      signal?.throwIfAborted();
      if (isClosed) throw new QueueRefusal('closed');
      if (timeout.aborted) throw new LimitExceeded('timeout');
      if (isOutOfMemory(error)) throw new LimitExceeded('memory');
      if (error instanceof TaskError) throw error.cause;
      if (stranding.aborted || isNotStarted(error)) throw new ThreadUnavailable(String(error));
      losses.add(task, input);
      throw new ThreadLost(String(error));
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
      if (admission && (error instanceof LimitExceeded || error instanceof ThreadLost))
        penalise(admission.entrant.of);
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

class LimitExceeded extends Error {
  readonly limit: 'timeout' | 'memory';

  constructor(limit: 'timeout' | 'memory') {
    super(limit);
    this.limit = limit;
  }
}

/** The thread ended while it ran the task; the next task gets another. */
class ThreadLost extends Error {}

/** No thread could be started, as when the machine has no more threads or memory. */
class ThreadUnavailable extends Error {}

const isNotStarted = (error: unknown): boolean =>
  error instanceof ThreadUnavailable || isUnstarted(error);

/** A thread at its heap limit, or a string or array beyond the engine's limits. */
const isOutOfMemory = (error: unknown): boolean =>
  (error instanceof TaskError && error.cause instanceof RangeError) ||
  codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';

/** What the task threw. */
class TaskError extends Error {}

function outputOf<Output>(result: TaskResult): Output {
  if ('unloaded' in result) throw new ThreadUnavailable(result.unloaded);
  if ('error' in result) throw new TaskError('the task failed', { cause: result.error });
  return result.output as Output;
}

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
  if (error instanceof ThreadLost || error instanceof ThreadUnavailable) {
    const text = error instanceof ThreadLost ? 'a worker thread ended' : 'no worker thread started';
    log.error({ kind, reason: error.message }, text);
    return unavailable(retryAfter);
  }
  if (error instanceof PoisonousInput) return tooCostly(`${subject} cannot be processed`);
  if (!(error instanceof LimitExceeded)) return error;
  log.warn({ kind, limit: error.limit }, 'worker task exceeded a limit');
  return tooCostly(
    error.limit === 'timeout'
      ? `${subject} takes too long to process (maximum is ${timeLimit / 1000} seconds)`
      : `${subject} needs too much memory to process (maximum is ${heapLimit} MB)`,
  );
}
