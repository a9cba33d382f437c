import { fromPrisma, PgBoss } from 'pg-boss';
import type { Attempt, JobKind, JobPayloads, Jobs } from '../../schema/ports/jobs.ts';

/** What is done for each kind; at least once, so every handler may be repeated. */
export type JobHandlers = {
  readonly [Kind in JobKind]: (payload: JobPayloads[Kind], attempt: Attempt) => Promise<void>;
};

export interface Queue extends Jobs {
  /** Begins to work; jobs left by a killed process are taken up again. */
  work(handlers: JobHandlers): Promise<void>;
  /** Waits for running jobs, then lets go of the database. */
  stop(): Promise<void>;
  /** Jobs not done yet, by kind. */
  sizes(): Promise<ReadonlyMap<JobKind, number>>;
}

/** A job is tried again after 5 s, then at growing distances, for about a day. */
const patiently = { retryLimit: 12, retryDelay: 5, retryBackoff: true, retryDelayMax: 7_200 };

/** Who listens may be away for a while: some eight times, over about an hour. */
const forAnHour = { retryLimit: 7, retryDelay: 15, retryBackoff: true, retryDelayMax: 1_800 };

/** Somebody waits for it, and would rather be told that it failed: about a minute. */
const promptly = { retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 60 };

const retries: Readonly<Record<JobKind, typeof patiently>> = {
  'remove-project': patiently,
  'remove-namespace': patiently,
  'remove-uploads': patiently,
  'refresh-statistics': patiently,
  'give-up-arrival': patiently,
  'import-project': promptly,
  'fork-project': patiently,
  'housekeep-project': patiently,
  'follow-push': patiently,
  'make-pipelines': patiently,
  'pipeline-ended': patiently,
  'sweep-job-files': patiently,
  'deliver-hook': forAnHour,
};

const kinds = Object.keys(retries) as JobKind[];

/** What is done when the last attempt has failed, whatever it failed of; made before those that lead to it. */
const afterwards: Readonly<Partial<Record<JobKind, JobKind>>> = {
  'import-project': 'give-up-arrival',
  'fork-project': 'give-up-arrival',
};

/** Seconds after which a job counts as stuck, though its process gives signs of life. */
const longestRun = 8 * 3_600;

/** What takes long is done several at a time, so that a large one does not hold up a small one. */
const sideBySide: Readonly<Partial<Record<JobKind, number>>> = {
  'import-project': 4,
  'fork-project': 2,
  // a merge that takes git a minute holds up the merge requests of its own project only
  'follow-push': 4,
  'make-pipelines': 4,
  'pipeline-ended': 2,
  // each waits for somebody else's server most of its time
  'deliver-hook': 16,
};

/**
 * Of those no more at a time than these that ask for the same: who does not answer, or has very much
 * to be done, holds up what is meant for them, and nobody else.
 */
const together: { readonly [Kind in JobKind]?: (payload: JobPayloads[Kind]) => number } = {
  'deliver-hook': ({ hookId }) => hookId,
  'follow-push': ({ projectId }) => projectId,
  'make-pipelines': ({ projectId }) => projectId,
  'pipeline-ended': ({ projectId }) => projectId,
};
const mostTogether = 2;

/** A process that stops giving signs of life loses its job to another after this many seconds. */
const heartbeatSeconds = 10;

/** How often such processes are looked for. */
const supervision = { superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 };

/** Also where notices come: none is sent when the time of a retry is there. */
const working = {
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 2,
  includeMetadata: true,
} as const;

export interface QueueOptions {
  /** Told what is wrong with the queue itself. */
  readonly onError: (error: Error) => void;
  /** Told of each attempt at a job that failed. */
  readonly onFailure?: (kind: JobKind, error: unknown) => void;
  /** Milliseconds that running jobs have at a stop. */
  readonly stopWithin?: number;
}

/** The queue in the same database as everything else, so that a job and its cause are one commit. */
export async function openQueue(
  url: string,
  { onError, onFailure = () => {}, stopWithin = 10_000 }: QueueOptions,
): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'millrace queue',
    max: 4,
    useListenNotify: true,
    ...supervision,
  });
  boss.on('error', onError);
  await boss.start();
  for (const kind of kinds) {
    const deadLetter = afterwards[kind];
    const options = {
      ...retries[kind],
      ...(deadLetter && { deadLetter }),
      expireInSeconds: longestRun,
      heartbeatSeconds,
      notify: true,
    };
    // of two processes that start at once, one makes the queue and both may set its options
    await boss.createQueue(kind, options);
    await boss.updateQueue(kind, options);
  }
  const enqueueAll: Jobs['enqueueAll'] = async (kind, payloads, transaction) => {
    const groupOf = together[kind];
    const jobs = payloads.map((data) => ({
      data,
      ...(groupOf && { group: { id: String(groupOf(data)) } }),
    }));
    if (jobs.length > 0) await boss.insert(kind, jobs, { db: fromPrisma(transaction) });
  };
  return {
    enqueue: (kind, payload, transaction) => enqueueAll(kind, [payload], transaction),
    enqueueAll,
    work: async (handlers) => {
      for (const kind of kinds) {
        const handle = handlers[kind] as (payload: object, attempt: Attempt) => Promise<void>;
        const options = {
          ...working,
          localConcurrency: sideBySide[kind] ?? 1,
          ...(together[kind] && { localGroupConcurrency: mostTogether }),
        };
        const worker: Promise<string> = boss.work<object, void, typeof options>(
          kind,
          options,
          async (jobs) => {
            try {
              for (const { data, retryCount, retryLimit, signal } of jobs) {
                const isLast = retryCount >= retryLimit;
                await handle(data, { number: retryCount + 1, isLast, signal });
              }
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
