import type { JobKind, JobPayloads } from '../../schema/ports/jobs.ts';

/** A job is tried again after 5 s, then at growing distances, for about a day. */
const patiently = { retryLimit: 12, retryDelay: 5, retryBackoff: true, retryDelayMax: 7_200 };

/** Who listens may be away for a while: some eight times, over about an hour. */
const forAnHour = { retryLimit: 7, retryDelay: 15, retryBackoff: true, retryDelayMax: 1_800 };

/** A user waits for it, and is better served by a failure than by a long wait: about a minute. */
const promptly = { retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 60 };

interface Kind<Payload> {
  readonly retries: typeof patiently;
  /** How many of them a process runs at once; 1 where nothing is said. */
  readonly workers?: number;
  /** How many jobs that share a key a process runs at once; the others wait without a worker. */
  readonly group?: { readonly key: (payload: Payload) => string | null; readonly limit: number };
  /** Of jobs with the same key only one waits or runs. */
  readonly uniqueKey?: (payload: Payload) => string;
  /** A process has died of it before it came to the queue. */
  readonly isSuspect?: boolean;
}

/** Jobs of a project: a large one, or one that is stuck, delays those of its own project only. */
const twoOfAProject = {
  key: ({ projectId }: { readonly projectId: number }) => String(projectId),
  limit: 2,
};

/** How each kind of job is run: retries, and how many at once. */
export const jobKinds: { readonly [Name in JobKind]: Kind<JobPayloads[Name]> } = {
  'remove-project': { retries: patiently },
  'remove-namespace': { retries: patiently },
  'remove-uploads': { retries: patiently },
  'refresh-statistics': { retries: patiently },
  'give-up-arrival': { retries: patiently },
  'import-project': {
    retries: promptly,
    // each waits for git and its source; slow sources of one user leave room for other users
    workers: 10,
    group: { key: ({ userId }) => (userId === undefined ? null : String(userId)), limit: 2 },
  },
  'fork-project': { retries: patiently, workers: 2 },
  'housekeep-project': { retries: patiently },
  // a merge that takes git a minute delays the merge requests of its own project only
  'follow-push': { retries: patiently, workers: 4, group: twoOfAProject },
  'make-pipelines': { retries: patiently, workers: 4, group: twoOfAProject },
  'pipeline-ended': { retries: patiently, workers: 2, group: twoOfAProject },
  'sweep-job-files': { retries: patiently },
  'deliver-hook': {
    retries: forAnHour,
    // each waits for the receiver most of its time
    workers: 16,
    group: { key: ({ hookId }) => String(hookId), limit: 2 },
  },
  'settle-push': { retries: patiently, uniqueKey: ({ pushId }) => pushId, isSuspect: true },
  'settle-merge': {
    retries: patiently,
    uniqueKey: ({ mergeRequestId }) => String(mergeRequestId),
  },
};

export const kindNames = Object.keys(jobKinds) as readonly JobKind[];
