import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database } from '../../prisma/client.ts';
import type { Attempt, DeadJob, JobKind, JobPayloads } from '../../schema/ports/jobs.ts';
import { backgroundCaller } from '../scheduling/caller.ts';
import { runAs } from '../scheduling/scope.ts';
import { withWaitBudget } from '../scheduling/wait-budget.ts';
import { heartbeatTimeout, interruptedJobs, messageOf } from './interrupted-jobs.ts';
import { jobIsolation } from './isolation.ts';
import { inTraceOf, payloadOf } from './job-trace.ts';
import { jobKinds, kindNames } from './kinds.ts';
import { ownerShares, returnToQueue } from './owners.ts';

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

interface JobWorkOptions extends Pick<WorkOptions, 'db'> {
  /** Called for each failed attempt. */
  readonly onFailure: (kind: JobKind, error: unknown) => void;
  /** Jobs started here and not finished, even if the queue considers this process dead. */
  readonly running: Set<string>;
}

/** The queue of jobs that were given up. */
export const deadLetter = 'dead-letters';

/** Why a job is given up after its process died of it. */
const killer = 'The server process died each time that the job ran, alone at last';

/** Polling complements notifications: none is sent when a retry becomes due. */
const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };

type Handle = (payload: object, attempt: Attempt) => Promise<void>;

/** Starts the workers of all kinds of jobs. */
export async function workOnJobs(
  boss: PgBoss,
  handlers: JobHandlers,
  { db, onFailure, running }: JobWorkOptions,
): Promise<void> {
  const isolation = jobIsolation();
  const interrupted = interruptedJobs(db);

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
                withWaitBudget(() =>
                  run(job, handlers[kind] as Handle, isSuspect?.(payloadOf(job.data)) ?? false),
                ),
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
export async function workOnDeadLetters(
  boss: PgBoss,
  { onDeadJob }: Pick<WorkOptions, 'onDeadJob'>,
): Promise<void> {
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
