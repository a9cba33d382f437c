import type { JobKind, JobPayloads } from '../../schema/ports/jobs.ts';

/** Retries after 5 s, then with exponential backoff, for about a day. */
const patiently = { retryLimit: 12, retryDelay: 5, retryBackoff: true, retryDelayMax: 7_200 };

/** The receiver may be offline for a while: some eight retries over about an hour. */
const forAnHour = { retryLimit: 7, retryDelay: 15, retryBackoff: true, retryDelayMax: 1_800 };

/** A user waits for it, and a failure is better than a long wait: about a minute. */
const promptly = { retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 60 };

interface Kind<Payload> {
  readonly retries: typeof patiently;
  /** Concurrent jobs per process. Those of one user leave at least one to others (owners.ts). */
  readonly workers: number;
  /**
   * Concurrent jobs with the same key in all processes; the others wait without occupying a worker. Fewer than there
   * are workers. Null: of the same owner.
   */
  readonly group: { readonly key: (payload: Payload) => string | null; readonly limit: number };
  /** Only one job per key is queued or running. */
  readonly uniqueKey?: (payload: Payload) => string;
  /** Whether a process died of it before it was queued. */
  readonly isSuspect?: (payload: Payload) => boolean;
}

const ofProject = ({ projectId }: { readonly projectId: number }) => String(projectId);

/** One job at a time of what the key names, such as a project: large or stuck ones delay only the others of it. */
const oneOfEach = <Payload>(key: (payload: Payload) => string | null) => ({
  workers: 3,
  group: { key, limit: 1 },
});
const oneOfAProject = oneOfEach(ofProject);
/** Each needs much memory and all of a processor. */
const maintenance = { ...oneOfAProject, workers: 2 };
const twoOfAProject = { workers: 4, group: { key: ofProject, limit: 2 } };

/** Retries and concurrency of each kind of job. */
export const jobKinds: { readonly [Name in JobKind]: Kind<JobPayloads[Name]> } = {
  'remove-project': { retries: patiently, ...oneOfAProject },
  'remove-namespace': {
    retries: patiently,
    ...oneOfEach(({ namespaceId }) => String(namespaceId)),
  },
  'remove-uploads': {
    retries: patiently,
    ...oneOfEach(({ owner }) => `${owner.kind} ${owner.id}`),
  },
  'refresh-statistics': { retries: patiently, ...oneOfAProject },
  'give-up-arrival': { retries: patiently, ...oneOfAProject },
  'import-project': {
    retries: promptly,
    // each waits for git and its source; slow sources of one user leave room for other users
    workers: 10,
    group: { key: ({ userId }) => (userId === undefined ? null : String(userId)), limit: 2 },
  },
  'fork-project': {
    retries: patiently,
    workers: 3,
    // forks of a large project leave room for others
    group: { key: ({ sourceId }) => String(sourceId), limit: 2 },
  },
  'link-merged-objects': { retries: patiently, ...oneOfAProject },
  'record-merge-request-commits': { retries: patiently, ...oneOfAProject },
  'housekeep-project': { retries: patiently, ...maintenance },
  'pack-project': {
    retries: patiently,
    ...maintenance,
    uniqueKey: ({ projectId }) => String(projectId),
  },
  // a merge that takes a minute delays only merge requests of its own project
  'follow-push': { retries: patiently, ...twoOfAProject },
  // a user waits for it; a long one delays only those of its own project
  'rebase-merge-request': { retries: promptly, ...oneOfAProject },
  'apply-push-options': { retries: promptly, ...oneOfAProject },
  'make-pipelines': { retries: patiently, ...twoOfAProject },
  'pipeline-ended': { retries: patiently, ...oneOfAProject },
  'run-schedule': { retries: patiently, ...twoOfAProject },
  'sweep-job-files': {
    retries: patiently,
    ...oneOfEach(({ projectId }) => (projectId === undefined ? null : String(projectId))),
  },
  'deliver-hook': {
    retries: forAnHour,
    // each spends most of its time waiting for the receiver
    workers: 16,
    group: { key: ({ hookId }) => String(hookId), limit: 2 },
  },
  'settle-push': {
    retries: patiently,
    ...oneOfAProject,
    uniqueKey: ({ pushId }) => pushId,
    isSuspect: ({ hasFailed = false }) => !hasFailed,
  },
  'settle-push-step': { retries: patiently, ...oneOfAProject },
  'settle-merge': {
    retries: patiently,
    ...oneOfAProject,
    uniqueKey: ({ mergeRequestId }) => String(mergeRequestId),
  },
};

export const kindNames = Object.keys(jobKinds) as readonly JobKind[];
