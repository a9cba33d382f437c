import type { RefChange } from './git/address.ts';
import type { UploadOwner } from './uploads.ts';

/** Every kind of background work and what it needs to know. Handlers live in server/jobs. */
export interface JobPayloads {
  /** A project was removed: its repository and files leave the disk, then its rows go. */
  'remove-project': { readonly projectId: number };
  /** A group, or somebody's personal namespace, was removed with everything below it. */
  'remove-namespace': { readonly namespaceId: number };
  /** A user is gone: what they uploaded for themselves leaves the disk. */
  'remove-uploads': { readonly owner: UploadOwner };
  /** A push has landed: commits and bytes are counted again. */
  'refresh-statistics': { readonly projectId: number };
  /** A project's repository is brought here from elsewhere. */
  'import-project': {
    readonly projectId: number;
    /** Who started it; left out by versions that did not limit the imports of a user. */
    readonly userId?: number;
  };
  /** A fork is filled with what is in its source. */
  'fork-project': { readonly projectId: number; readonly sourceId: number };
  /** Every attempt to fork or import has failed, or was cut off by a kill. */
  'give-up-arrival': { readonly projectId: number };
  /** A project's repository is tidied. */
  'housekeep-project': { readonly projectId: number };
  /** A message goes to a web hook. */
  'deliver-hook': { readonly deliveryId: number; readonly hookId: number };
  /** Branches have moved: the merge requests from and to them are looked at again. */
  'follow-push': {
    readonly projectId: number;
    readonly userId: number | null;
    readonly branches: readonly string[];
    /** The commit that each of them was at before a push; left out where nothing was pushed. */
    readonly before?: Readonly<Record<string, string>>;
  };
  /** Somebody has pushed branches and tags: what their CI files ask for is to be run. */
  'make-pipelines': {
    readonly projectId: number;
    readonly userId: number;
    readonly changes: readonly RefChange[];
    /** When the push was admitted, as ISO 8601: what is older was made for another one. */
    readonly pushedAt: string;
  };
  /** A job was erased, or its artifacts are kept no longer: its files go. */
  'sweep-job-files': { readonly id: number };
  /** A pipeline has come to its end: what waited for it goes on. */
  'pipeline-ended': { readonly projectId: number; readonly sha: string };
  /** A server process died while it settled a push, or an edit of a wiki. */
  'settle-push': { readonly pushId: string; readonly projectId: number };
  /** A merge was cut off, or is going on. */
  'settle-merge': { readonly mergeRequestId: number; readonly projectId: number };
}

export type JobKind = keyof JobPayloads;

/** The statement runner of an open transaction: a job exists exactly if its cause was committed. */
export interface Transaction {
  $queryRawUnsafe<T = unknown>(sql: string, ...values: unknown[]): Promise<T>;
}

/** Which of the times it is that a job is tried. */
export interface Attempt {
  /** Counted from 1; an attempt that a kill cut off counts. */
  readonly number: number;
  /** Nobody will try again: what failed has failed. */
  readonly isLast: boolean;
  /** Aborted when the process stops, or the job took too long: another attempt will follow. */
  readonly signal: AbortSignal;
}

/** A job that the queue has given up: its last attempt failed, or server processes died of it. */
export interface DeadJob {
  /** The queue's id, a UUID. */
  readonly id: string;
  /** A `JobKind` of this or of an earlier version. */
  readonly kind: string;
  readonly payload: object;
  readonly attempts: number;
  /** What the last attempt failed of. */
  readonly error: string;
  /** Whether the process died during the last attempt. */
  readonly isFatal: boolean;
  readonly enqueuedAt: Date;
}

/** Background work: at least once, so every handler can be repeated. */
export interface Jobs {
  enqueue<Kind extends JobKind>(
    kind: Kind,
    payload: JobPayloads[Kind],
    transaction: Transaction,
  ): Promise<void>;
  /** Several of a kind by one statement. */
  enqueueAll<Kind extends JobKind>(
    kind: Kind,
    payloads: readonly JobPayloads[Kind][],
    transaction: Transaction,
  ): Promise<void>;
}
