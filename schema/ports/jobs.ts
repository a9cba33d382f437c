import type { RefChange } from './git/address.ts';
import type { UploadOwner } from './uploads.ts';

/** Every kind of background job and its payload. The handlers are in server/jobs. */
export interface JobPayloads {
  /** Removes a project's repository and files from the disk, then its rows. */
  'remove-project': { readonly projectId: number };
  /** Removes a group or a personal namespace with everything below it. */
  'remove-namespace': { readonly namespaceId: number };
  /** Removes the uploads of a removed user from the disk. */
  'remove-uploads': { readonly owner: UploadOwner };
  /** Recounts commits and bytes after a push, and keeps the commits that it left and records refer to. */
  'refresh-statistics': {
    readonly projectId: number;
    /** The former values of the references that it moved or deleted; missing without any. */
    readonly before?: readonly string[];
  };
  /** Imports a project's repository from a URL. */
  'import-project': {
    readonly projectId: number;
    /**
     * The user who started it; missing in payloads of versions that did not limit a user's imports.
     */
    readonly userId?: number;
  };
  /** Copies the source repository into a fork. */
  'fork-project': { readonly projectId: number; readonly sourceId: number };
  /** Every attempt to fork or import has failed or was cut off by a crash. */
  'give-up-arrival': { readonly projectId: number };
  /** Gives a project the LFS objects of a merge request from another project. */
  'link-merged-objects': { readonly projectId: number; readonly mergeRequestId: number };
  /** Records the commits by which a merge request is found, and what its versions compare. */
  'record-merge-request-commits': {
    readonly projectId: number;
    readonly mergeRequestId: number;
  };
  /** Runs git maintenance on a project's repository. */
  'housekeep-project': { readonly projectId: number };
  /** Packs what pushes and edits added to a project's repository and wiki. */
  'pack-project': { readonly projectId: number };
  /** Delivers a webhook. */
  'deliver-hook': { readonly deliveryId: number; readonly hookId: number };
  /** Updates the merge requests from and to branches that moved. */
  'follow-push': {
    readonly projectId: number;
    readonly userId: number | null;
    readonly branches: readonly string[];
    /** The commit of each branch before a push; omitted if there was no push. */
    readonly before?: Readonly<Record<string, string>>;
    /** When the push was admitted, as ISO 8601; missing in payloads of versions before it. */
    readonly pushedAt?: string;
  };
  /** Creates the pipelines that the CI files of pushed branches and tags define. */
  'make-pipelines': {
    readonly projectId: number;
    readonly userId: number;
    readonly changes: readonly RefChange[];
    /**
     * The time when the push was admitted, as ISO 8601: older pipelines belong to an earlier push.
     */
    readonly pushedAt: string;
    /** The encrypted variables that the push gave to its pipelines. */
    readonly sealedVariables?: string;
  };
  /** Applies the options of a push to the merge requests of its branches, after a crash. */
  'apply-push-options': {
    readonly projectId: number;
    readonly userId: number;
    readonly branches: readonly string[];
    /** The commit that was pushed to each branch; missing in payloads of versions before it. */
    readonly heads?: Readonly<Record<string, string>>;
    /** As in `PushOptions`. */
    readonly mergeRequest: readonly string[];
  };
  /** Creates the pipeline of a schedule that was due at `dueAt` (ISO 8601). */
  'run-schedule': {
    readonly scheduleId: number;
    readonly projectId: number;
    readonly dueAt: string;
  };
  /**
   * Deletes the files of a job that was erased, whose artifacts expired, or that was deleted: then with
   * its project.
   */
  'sweep-job-files': { readonly id: number; readonly projectId?: number };
  /** A pipeline has finished: continues what waits for it. */
  'pipeline-ended': { readonly projectId: number; readonly sha: string };
  /** Settles a push or a wiki edit whose server process died, or that could not be settled. */
  'settle-push': {
    readonly pushId: string;
    readonly projectId: number;
    /** Settling it threw an error: the job does not end the process. */
    readonly hasFailed?: true;
  };
  /** Repeats a step of settling a push that failed; a row of `push_steps` is its input. */
  'settle-push-step': {
    readonly stepId: string;
    readonly step: string;
    readonly projectId: number;
    readonly userId: number | null;
  };
  /** Rebases the source branch of a merge request as a push of a user. */
  'rebase-merge-request': {
    readonly mergeRequestId: number;
    readonly projectId: number;
    readonly userId: number;
    /** The target when the rebase was requested; missing in payloads of versions before it. */
    readonly targetBranch?: string;
    readonly skipsCi: boolean;
    /** ISO 8601; it identifies the rebase. */
    readonly startedAt: string;
  };
  /** Settles a merge that was cut off or is still running. */
  'settle-merge': { readonly mergeRequestId: number; readonly projectId: number };
}

export type JobKind = keyof JobPayloads;

/** The statement runner of an open transaction: a job exists exactly if its cause was committed. */
export interface Transaction {
  $queryRawUnsafe<T = unknown>(sql: string, ...values: unknown[]): Promise<T>;
}

/** An attempt to run a job. */
export interface Attempt {
  /** Counted from 1; an attempt that a crash cut off counts. */
  readonly number: number;
  /** No further attempt follows. */
  readonly isLast: boolean;
  /** Aborted if the process stops or the job exceeds its time; another attempt follows. */
  readonly signal: AbortSignal;
}

/**
 * A job that the queue has given up: its last attempt failed, or server processes crashed in it.
 */
export interface DeadJob {
  /** The queue's id, a UUID. */
  readonly id: string;
  /** A `JobKind` of this or of an earlier version. */
  readonly kind: string;
  readonly payload: object;
  readonly attempts: number;
  /** The error of the last attempt. */
  readonly error: string;
  /** Whether the process died during the last attempt. */
  readonly isFatal: boolean;
  readonly enqueuedAt: Date;
}

/** The jobs of a kind that wait or run. */
export interface UnfinishedJobs {
  readonly kind: JobKind;
  readonly count: number;
  /** Seconds since the oldest one that is due became due; null if none is. */
  readonly waitingSeconds: number | null;
}

/** Background jobs: at-least-once, so every handler must be idempotent. */
export interface Jobs {
  enqueue<Kind extends JobKind>(
    kind: Kind,
    payload: JobPayloads[Kind],
    transaction: Transaction,
  ): Promise<void>;
  /** Enqueues several jobs of a kind with one statement. */
  enqueueAll<Kind extends JobKind>(
    kind: Kind,
    payloads: readonly JobPayloads[Kind][],
    transaction: Transaction,
  ): Promise<void>;
  /** Enqueues a job unless one with this payload waits to be run soon. */
  enqueueUnlessWaiting<Kind extends JobKind>(
    kind: Kind,
    payload: JobPayloads[Kind],
    transaction: Transaction,
  ): Promise<void>;
  /** The unfinished jobs of each kind, also of kinds without any; the counts are seconds old. */
  unfinished(): Promise<readonly UnfinishedJobs[]>;
}
