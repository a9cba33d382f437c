import { setTimeout as delay } from 'node:timers/promises';
import { fromPrisma, PgBoss } from 'pg-boss';
import { usualDeadAfter } from '../../prisma/client.ts';
import { openConnections } from '../../prisma/dead-connections.ts';
import { WatchedClient } from '../../prisma/watched-client.ts';
import type { JobKind, Jobs } from '../../schema/ports/jobs.ts';
import { withTrace } from './job-trace.ts';
import { jobKinds, kindNames } from './kinds.ts';
import { currentOwner, jobPriorities } from './owners.ts';
import { pauseWhileReadOnly } from './read-only-pause.ts';
import { isWaiting, unfinishedJobs } from './waiting.ts';
import {
  deadLetter,
  type JobHandlers,
  type WorkOptions,
  workOnDeadLetters,
  workOnJobs,
} from './work.ts';

export interface Queue extends Jobs {
  /** Starts the workers; also retries jobs of killed processes. */
  work(handlers: JobHandlers, options: WorkOptions): Promise<void>;
  /** Waits for running jobs, then disconnects from the database. */
  stop(): Promise<void>;
}

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

type QueueOptionValues = Readonly<Record<string, string | number | boolean>>;

interface QueueOptions {
  /** Called with errors of the queue itself. */
  readonly onError: (error: Error) => void;
  /** Called for each failed attempt. */
  readonly onFailure?: (kind: JobKind, error: unknown) => void;
  /** Milliseconds that running jobs have at shutdown. */
  readonly stopWithin?: number;
  /** Seconds between checks for jobs of dead processes. */
  readonly supervisedEvery?: number;
  /** As of the other connections to the database. */
  readonly deadAfter?: number | undefined;
}

/** Milliseconds that the queue has to disconnect after its jobs, and again once its connections are closed. */
const disconnectLimit = 3_000;

/** The queue is in the main database, so that a job and its cause are one commit. */
export async function openQueue(url: string, options: QueueOptions): Promise<Queue> {
  const { onError, onFailure = () => {}, stopWithin = 10_000 } = options;
  const { supervisedEvery = defaultSupervisionSeconds, deadAfter = usualDeadAfter } = options;
  const open = openConnections(WatchedClient, { connectionString: url, deadAfter });
  // the pool passes these to pg: a silent connection would otherwise block a worker for ever
  const connections = {
    connectionString: url,
    application_name: 'millrace queue',
    max: 4,
    Client: open.Client,
    answerLimit,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  };
  const boss = new PgBoss({
    ...connections,
    useListenNotify: true,
    superviseIntervalSeconds: supervisedEvery,
    monitorIntervalSeconds: supervisedEvery,
  });
  boss.on('error', onError);
  await boss.start();
  /** Jobs started here and not finished, even if the queue considers this process dead. */
  const running = new Set<string>();
  await createQueues(boss);
  const stopWaiting = pauseWhileReadOnly(boss.getDb(), { onPause: onError });
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
      await workOnJobs(boss, handlers, { ...options, onFailure, running });
    },
    stop: async () => {
      stopWaiting();
      const stopping = new AbortController();
      const wait = (ms: number) => delay(ms, null, { signal: stopping.signal }).catch(() => null);
      // a statement without an answer, of a worker or of the maintenance, has no limit of its own here
      const cut = async () => {
        const end = performance.now() + stopWithin;
        while (running.size > 0 && performance.now() < end) await wait(100);
        await wait(disconnectLimit);
        if (stopping.signal.aborted) return;
        open.destroyAll('the queue has stopped');
        await wait(disconnectLimit);
      };
      try {
        await Promise.race([boss.stop({ graceful: true, timeout: stopWithin }), cut()]);
      } finally {
        stopping.abort();
      }
    },
    unfinished: () => unfinishedJobs(boss),
  };
}

/**
 * Creates the queues that are missing and changes those with other options: a start reads them in one statement. Of two
 * processes that start at once, one creates a queue.
 */
async function createQueues(boss: PgBoss): Promise<void> {
  const stored = await boss.getQueues([deadLetter, ...kindNames]);
  const queues = new Map<string, Readonly<Record<string, unknown>>>(
    stored.map((queue) => [queue.name, { ...queue }]),
  );
  const ensure = async (name: string, options: QueueOptionValues, policy: 'exclusive' | null) => {
    const queue = queues.get(name);
    if (!queue) await boss.createQueue(name, { ...options, ...(policy && { policy }) });
    else if (Object.entries(options).some(([key, value]) => queue[key] !== value))
      await boss.updateQueue(name, options);
  };
  const common = { expireInSeconds: maxRunSeconds, heartbeatSeconds };
  await ensure(deadLetter, { ...jobKinds['give-up-arrival'].retries, ...common }, null);
  for (const kind of kindNames) {
    const { retries, uniqueKey } = jobKinds[kind];
    const options = { ...retries, ...common, deadLetter, notify: true };
    await ensure(kind, options, uniqueKey ? 'exclusive' : null);
  }
}
