import { fromPrisma, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database } from '../../prisma/client.ts';
import { WatchedClient } from '../../prisma/watched-client.ts';
import type { Attempt, DeadJob, JobKind, JobPayloads, Jobs } from '../../schema/ports/jobs.ts';
import { backgroundCaller } from '../scheduling/caller.ts';
import { runAs } from '../scheduling/scope.ts';
import { heartbeatTimeout, interruptedJobs, messageOf } from './interrupted-jobs.ts';
import { jobIsolation } from './isolation.ts';
import { inTraceOf, payloadOf, withTrace } from './job-trace.ts';
import { jobKinds, kindNames } from './kinds.ts';
import { currentOwner, jobPriorities, ownerShares, returnToQueue } from './owners.ts';
import { isWaiting, unfinishedJobs } from './waiting.ts';

/** The handlers by kind; a job runs at least once, so every handler must be idempotent. */
export type JobHandlers = {
  readonly [Kind in JobKind]: (payload: JobPayloads[Kind], attempt: Attempt) => Promise<void>;
};

export interface WorkOptions {
  /** Stores the jobs during which a process died. */
  readonly db: Database;
  /** Records a job that was given up; called at least once for each. */
  readonly onDeadJob: (job: DeadJob) => Promise<void>;
}

export interface Queue extends Jobs {
  /** Starts the workers; also retries jobs of killed processes. */
  work(handlers: JobHandlers, options: WorkOptions): Promise<void>;
  /** Waits for running jobs, then disconnects from the database. */
  stop(): Promise<void>;
}

const deadLetter = 'dead-letters';

/** Why a job is given up after its process died of it. */
const killer = 'The server process died each time that the job ran, alone at last';

/** The group of jobs of no project and no owner. */
const serviceGroup = 'service';

/** Seconds after which a job counts as stuck even if its process sends heartbeats. */
const maxRunSeconds = 8 * 3_600;

/** Seconds without a heartbeat after which a process loses its job to another. */
const heartbeatSeconds = 10;

/** Milliseconds; the queue's own maintenance takes longer than a request may. */
const answerLimit = 300_000;

/** Seconds between checks for dead processes. */
const defaultSupervisionSeconds = 10;

/** Polling complements notifications: none is sent when a retry becomes due. */
const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };

interface QueueOptions {
  /** Called with errors of the queue itself. */
  readonly onError: (error: Error) => void;
  /** Called for each failed attempt. */
  readonly onFailure?: (kind: JobKind, error: unknown) => void;
  /** Milliseconds that running jobs have at shutdown. */
  readonly stopWithin?: number;
  /** Seconds between checks for jobs of dead processes. */
  readonly supervisedEvery?: number;
}

/** The queue is in the main database, so that a job and its cause are one commit. */
export async function openQueue(url: string, options: QueueOptions): Promise<Queue> {
  const { onError, onFailure = () => {}, stopWithin = 10_000 } = options;
  const { supervisedEvery = defaultSupervisionSeconds } = options;
  // the pool passes these to pg: a silent connection would otherwise block a worker for ever
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
  const priorityOf = jobPriorities();
  const enqueueAll: Jobs['enqueueAll'] = async (kind, payloads, transaction) => {
    const { group, uniqueKey } = jobKinds[kind];
    const owner = currentOwner();
    const jobs = payloads.map((data) => {
      const id = group.key(data) ?? owner ?? serviceGroup;
      return {
        data: withTrace(data),
        // the tier of a group is who has caused the job
        group: { id, ...(owner !== null && { tier: owner }) },
        priority: priorityOf(kind, owner ?? id),
        ...(uniqueKey && { singletonKey: uniqueKey(data) }),
      };
    });
    if (jobs.length > 0) await boss.insert(kind, jobs, { db: fromPrisma(transaction) });
  };
  return {
    enqueue: (kind, payload, transaction) => enqueueAll(kind, [payload], transaction),
    enqueueAll,
    enqueueUnlessWaiting: async (kind, payload, transaction) => {
      if (!(await isWaiting(kind, payload, transaction)))
        await enqueueAll(kind, [payload], transaction);
    },
    work: async (handlers, options) => {
      await workOnDeadLetters(boss, options);
      await workOnJobs(boss, handlers, { ...options, onFailure });
    },
    stop: () => boss.stop({ graceful: true, timeout: stopWithin }),
    unfinished: () => unfinishedJobs(boss),
  };
}

/** Of two processes that start at once, one creates a queue and both may set its options. */
async function createQueues(boss: PgBoss): Promise<void> {
  const common = { expireInSeconds: maxRunSeconds, heartbeatSeconds };
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
  /** Jobs started here and not finished, even if the queue considers this process dead. */
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
      await handle(payloadOf(data), attempt);
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
    const { workers, group } = jobKinds[kind];
    const shares = ownerShares(workers, group.limit);
    const isSuspect = jobKinds[kind].isSuspect as ((payload: object) => boolean) | undefined;
    const options = {
      ...polling,
      includeMetadata: true,
      perJobResults: true,
      localConcurrency: workers,
      groupConcurrency: {
        default: group.limit,
        // read for each fetch
        get tiers() {
          return shares.full;
        },
      },
    } as const;
    const worker: Promise<string> = boss.work<object, void, typeof options>(
      kind,
      options,
      async (jobs) => {
        try {
          const results = [];
          for (const job of jobs) {
            const end = shares.begin(job.groupTier ?? null, job.groupId ?? job.id);
            if (!end) {
              await returnToQueue(boss, kind, job.id);
              results.push({ id: job.id, status: 'completed' } as const);
              continue;
            }
            const work = () =>
              runAs(callerOfJob(job), () =>
                run(job, handlers[kind] as Handle, isSuspect?.(payloadOf(job.data)) ?? false),
              );
            results.push(
              await inTraceOf(job, work, (error) => onFailure(kind, error)).finally(end),
            );
          }
          return results;
        } finally {
          // otherwise it waits for the next notification, however many jobs are queued
          boss.notifyWorker(await worker);
        }
      },
    );
    await worker;
  }
}

/** Jobs of an owner, or else of a project, share what the service does for it in the background. */
const callerOfJob = ({ data, groupTier }: JobWithMetadata<{ readonly projectId?: number }>) =>
  backgroundCaller(data.projectId ?? null, groupTier);

/** Handles jobs that the queue has given up, for any reason: an exception, a crash, a timeout. */
async function workOnDeadLetters(boss: PgBoss, { onDeadJob }: WorkOptions): Promise<void> {
  const options = { ...polling, includeMetadata: true } as const;
  await boss.work<object, void, typeof options>(deadLetter, options, async (jobs) => {
    for (const { data, output, sourceName, sourceId, sourceCreatedOn, sourceRetryCount } of jobs) {
      const message = messageOf(output);
      // the fatal job was detected before it ran again
      const isKiller = message === killer;
      await onDeadJob({
        id: sourceId ?? '',
        kind: sourceName ?? '',
        payload: payloadOf(data),
        attempts: (sourceRetryCount ?? 0) + (isKiller ? 0 : 1),
        error: message,
        isFatal: isKiller || message === heartbeatTimeout,
        enqueuedAt: sourceCreatedOn ?? new Date(),
      });
    }
  });
}
