import { fromPrisma, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database } from '../../prisma/client.ts';
import { WatchedClient } from '../../prisma/watched-client.ts';
import type { Attempt, DeadJob, JobKind, JobPayloads, Jobs } from '../../schema/ports/jobs.ts';
import { heartbeatTimeout, interruptedJobs, messageOf } from './interrupted-jobs.ts';
import { jobIsolation } from './isolation.ts';
import { jobKinds, kindNames } from './kinds.ts';

/** What is done for each kind; at least once, so every handler may be repeated. */
export type JobHandlers = {
  readonly [Kind in JobKind]: (payload: JobPayloads[Kind], attempt: Attempt) => Promise<void>;
};

export interface WorkOptions {
  /** Where the jobs are recorded during which a process died. */
  readonly db: Database;
  /** Records a job that was given up; at least once for each. */
  readonly onDeadJob: (job: DeadJob) => Promise<void>;
}

export interface Queue extends Jobs {
  /** Begins to work; jobs left by a killed process are taken up again. */
  work(handlers: JobHandlers, options: WorkOptions): Promise<void>;
  /** Waits for running jobs, then lets go of the database. */
  stop(): Promise<void>;
  /** Jobs not done yet, by kind. */
  sizes(): Promise<ReadonlyMap<JobKind, number>>;
}

/** Where the queue puts the jobs that it gives up. */
const deadLetter = 'dead-letters';

/** Why a job is given up that its process died of. */
const killer = 'The server process died each time that the job ran, alone at last';

/** Seconds after which a job counts as stuck, though its process gives signs of life. */
const longestRun = 8 * 3_600;

/** A process that stops giving signs of life loses its job to another after this many seconds. */
const heartbeatSeconds = 10;

/** Milliseconds; the queue's own maintenance takes longer than what a request waits for. */
const answerLimit = 300_000;

/** Seconds between two looks for such processes. */
const usualSupervision = 10;

/** Also where notices come: none is sent when the time of a retry is there. */
const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };

export interface QueueOptions {
  /** Told what is wrong with the queue itself. */
  readonly onError: (error: Error) => void;
  /** Told of each attempt at a job that failed. */
  readonly onFailure?: (kind: JobKind, error: unknown) => void;
  /** Milliseconds that running jobs have at a stop. */
  readonly stopWithin?: number;
  /** Seconds between two looks for jobs whose process is gone. */
  readonly supervisedEvery?: number;
}

/** The queue in the same database as everything else, so that a job and its cause are one commit. */
export async function openQueue(url: string, options: QueueOptions): Promise<Queue> {
  const { onError, onFailure = () => {}, stopWithin = 10_000 } = options;
  const { supervisedEvery = usualSupervision } = options;
  // its pool hands these on to pg: a connection that went silent would hold a worker for ever
  const connections = {
    connectionString: url,
    application_name: 'millrace queue',
    max: 4,
    Client: WatchedClient,
    answerLimit,
    keepAlive: true,
  };
  const boss = new PgBoss({
    ...connections,
    useListenNotify: true,
    superviseIntervalSeconds: supervisedEvery,
    monitorIntervalSeconds: supervisedEvery,
  });
  boss.on('error', onError);
  await boss.start();
  await createQueues(boss);
  const enqueueAll: Jobs['enqueueAll'] = async (kind, payloads, transaction) => {
    const { group, uniqueKey } = jobKinds[kind];
    const jobs = payloads.map((data) => {
      const id = group?.key(data) ?? null;
      return {
        data,
        ...(id !== null && { group: { id } }),
        ...(uniqueKey && { singletonKey: uniqueKey(data) }),
      };
    });
    if (jobs.length > 0) await boss.insert(kind, jobs, { db: fromPrisma(transaction) });
  };
  return {
    enqueue: (kind, payload, transaction) => enqueueAll(kind, [payload], transaction),
    enqueueAll,
    work: async (handlers, options) => {
      await workOnDeadLetters(boss, options);
      await workOnJobs(boss, handlers, { ...options, onFailure });
    },
    stop: () => boss.stop({ graceful: true, timeout: stopWithin }),
    sizes: async () => {
      const queues = await boss.getQueues([...kindNames]);
      return new Map(
        queues.map(({ name, queuedCount, activeCount }) => [
          name as JobKind,
          queuedCount + activeCount,
        ]),
      );
    },
  };
}

/** Of two processes that start at once, one makes a queue and both may set its options. */
async function createQueues(boss: PgBoss): Promise<void> {
  const common = { expireInSeconds: longestRun, heartbeatSeconds };
  const { retries } = jobKinds['give-up-arrival'];
  await boss.createQueue(deadLetter, { ...retries, ...common });
  for (const kind of kindNames) {
    const { retries, uniqueKey } = jobKinds[kind];
    const options = { ...retries, ...common, deadLetter, notify: true };
    await boss.createQueue(kind, { ...options, ...(uniqueKey && { policy: 'exclusive' }) });
    await boss.updateQueue(kind, options);
  }
}

type Handle = (payload: object, attempt: Attempt) => Promise<void>;

async function workOnJobs(
  boss: PgBoss,
  handlers: JobHandlers,
  { db, onFailure }: WorkOptions & Required<Pick<QueueOptions, 'onFailure'>>,
): Promise<void> {
  const isolation = jobIsolation();
  const interrupted = interruptedJobs(db);
  /** Started here and not over, even if the queue believes this process to be dead. */
  const running = new Set<string>();

  const run = async (job: JobWithMetadata<object>, handle: Handle, isSuspect: boolean) => {
    const { id, data, retryCount, retryLimit, signal } = job;
    const attempt = { number: retryCount + 1, isLast: retryCount >= retryLimit, signal };
    const output = running.has(id) ? null : job.output;
    const suspicion = await interrupted.judge({ id, retryCount, output }, isSuspect);
    if (suspicion === 'fatal') {
      await interrupted.forget(id);
      return { id, status: 'deadletter', output: { message: killer } } as const;
    }
    const work = async () => {
      signal.throwIfAborted();
      await handle(data, attempt);
    };
    running.add(id);
    try {
      await (suspicion === 'suspect'
        ? isolation.alone(() => interrupted.watch(id, work))
        : isolation.beside(work));
    } finally {
      running.delete(id);
    }
    return { id, status: 'completed' } as const;
  };

  for (const kind of kindNames) {
    const { workers, group, isSuspect = false } = jobKinds[kind];
    const options = {
      ...polling,
      includeMetadata: true,
      perJobResults: true,
      localConcurrency: workers ?? 1,
      ...(group && { localGroupConcurrency: group.limit }),
    } as const;
    const worker: Promise<string> = boss.work<object, void, typeof options>(
      kind,
      options,
      async (jobs) => {
        try {
          const results = [];
          for (const job of jobs) results.push(await run(job, handlers[kind] as Handle, isSuspect));
          return results;
        } catch (error) {
          onFailure(kind, error);
          throw error;
        } finally {
          // it waits for the next notice otherwise, however many jobs there are
          boss.notifyWorker(await worker);
        }
      },
    );
    await worker;
  }
}

/** Hands over the jobs that the queue has given up, whatever the reason: a throw, a death, a time-out. */
async function workOnDeadLetters(boss: PgBoss, { onDeadJob }: WorkOptions): Promise<void> {
  const options = { ...polling, includeMetadata: true } as const;
  await boss.work<object, void, typeof options>(deadLetter, options, async (jobs) => {
    for (const { data, output, sourceName, sourceId, sourceCreatedOn, sourceRetryCount } of jobs) {
      const message = messageOf(output);
      // what it died of was found before it ran once more
      const isKiller = message === killer;
      await onDeadJob({
        id: sourceId ?? '',
        kind: sourceName ?? '',
        payload: data,
        attempts: (sourceRetryCount ?? 0) + (isKiller ? 0 : 1),
        error: message,
        isFatal: isKiller || message === heartbeatTimeout,
        enqueuedAt: sourceCreatedOn ?? new Date(),
      });
    }
  });
}
