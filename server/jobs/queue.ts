import { fromPrisma, PgBoss } from 'pg-boss';
import type { JobKind, JobPayloads, Jobs } from '../../schema/ports/jobs.ts';

/** What is done for each kind; at least once, so every handler may be repeated. */
export type JobHandlers = {
  readonly [Kind in JobKind]: (payload: JobPayloads[Kind]) => Promise<void>;
};

export interface Queue extends Jobs {
  /** Begins to work; jobs left by a killed process are taken up again. */
  work(handlers: JobHandlers): Promise<void>;
  /** Waits for running jobs, then lets go of the database. */
  stop(): Promise<void>;
  /** Jobs not done yet, by kind. */
  sizes(): Promise<ReadonlyMap<JobKind, number>>;
}

const kinds: readonly JobKind[] = [
  'remove-project',
  'remove-namespace',
  'remove-uploads',
  'refresh-statistics',
];

/** A job is tried again after 5 s, then at growing distances, for about a day. */
const retries = { retryLimit: 12, retryDelay: 5, retryBackoff: true, retryDelayMax: 7_200 };

/** A process that stops giving signs of life loses its job to another after this many seconds. */
const heartbeatSeconds = 30;

/** Also where notices come: none is sent when the time of a retry is there. */
const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };

/** The queue in the same database as everything else, so that a job and its cause are one commit. */
export async function openQueue(
  url: string,
  { onError, stopWithin = 10_000 }: { onError: (error: Error) => void; stopWithin?: number },
): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'millrace queue',
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: 30,
  });
  boss.on('error', onError);
  await boss.start();
  for (const kind of kinds) {
    const options = { ...retries, heartbeatSeconds, notify: true };
    // of two processes that start at once, one makes the queue and both may set its options
    await boss.createQueue(kind, options);
    await boss.updateQueue(kind, options);
  }
  return {
    enqueue: async (kind, payload, transaction) => {
      await boss.send(kind, payload, { db: fromPrisma(transaction) });
    },
    work: async (handlers) => {
      for (const kind of kinds) {
        const handle = handlers[kind] as (payload: object) => Promise<void>;
        const worker: Promise<string> = boss.work<object>(kind, polling, async (jobs) => {
          try {
            for (const job of jobs) await handle(job.data);
          } finally {
            // it waits for the next notice otherwise, however many jobs there are
            boss.notifyWorker(await worker);
          }
        });
        await worker;
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: stopWithin }),
    sizes: async () => {
      const queues = await boss.getQueues([...kinds]);
      return new Map(
        queues.map(({ name, queuedCount, activeCount }) => [
          name as JobKind,
          queuedCount + activeCount,
        ]),
      );
    },
  };
}
