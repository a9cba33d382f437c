import type { Database } from '../../prisma/client.ts';
import type { Directory } from '../ports/directory.ts';
import type { GitStore } from '../ports/git/store.ts';
import type { HookSender } from '../ports/hook-sender.ts';
import type { JobFiles } from '../ports/job-files.ts';
import type { JobNews } from '../ports/job-news.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { LfsStore } from '../ports/lfs.ts';
import type { Passwords } from '../ports/passwords.ts';
import type { RecordNews } from '../ports/record-news.ts';
import type { Remotes } from '../ports/remotes.ts';
import type { RunnerCache } from '../ports/runner-cache.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { Settings } from '../ports/settings.ts';
import type { SignInLimits } from '../ports/sign-in-limits.ts';
import type { RepositoryStorages } from '../ports/storages.ts';
import type { UploadStore } from '../ports/uploads.ts';
import type { Viewers } from '../ports/viewers.ts';
import type { TaskCaller, WorkerPool } from '../ports/worker-pool.ts';
import type { Viewer } from './viewer.ts';

/** An application that acts for a user by an OAuth access token. */
export interface Delegation {
  /** Null for the tokens of the password grant that belong to no application. */
  readonly applicationId: number | null;
  /** The name of the application, or `password grant`. */
  readonly applicationName: string;
  /** The family of the token: the chain of tokens that were refreshed from one authorization. */
  readonly family: string;
}

/** The request that an operation belongs to; the same object for all operations of one request. */
export interface RequestFacts {
  readonly id: string;
  /** The caller's address. */
  readonly address: string;
  /** The `User-Agent` header; absent where programs sign in. */
  readonly userAgent?: string;
  /** The administrator who acts as the viewer by `sudo` (v4-behaviour 1.5). */
  readonly sudoerId?: number | null;
  /** The caller authenticated with an OAuth access token or a job token: a program acts for the user. */
  readonly isDelegated: boolean;
  /** The application of the OAuth access token; absent or null for all other credentials. */
  readonly delegation?: Delegation | null;
  /** Records changed after this moment must not be deleted (v4-behaviour 1.3, 412). */
  readonly unmodifiedSince?: Date | null;
  /** Aborted when the client disconnects; created on first read, for long work. */
  readonly signal?: AbortSignal;
}

/** Stands for the request of operations without one, such as those of background jobs. */
export const noRequest: RequestFacts = { id: '', address: '', isDelegated: false };

/**
 * The context of every operation: the current user, and the ports to everything outside the
 * process.
 */
export interface Context {
  /** Changes at most once: after a sign-in the rest of the operation runs as that user. */
  viewer: Viewer | null;
  readonly db: Database;
  /** Null if no directory server is configured. */
  readonly directory: Directory | null;
  readonly git: GitStore;
  readonly hookSender: HookSender;
  readonly jobFiles: JobFiles;
  readonly jobNews: JobNews;
  readonly recordNews: RecordNews;
  readonly jobs: Jobs;
  readonly lfs: LfsStore;
  readonly runnerCache: RunnerCache;
  readonly passwords: Passwords;
  readonly remotes: Remotes;
  readonly secrets: Secrets;
  readonly viewers: Viewers;
  readonly settings: Settings;
  readonly signInLimits: SignInLimits;
  /** Milliseconds until an unused browser session expires. */
  readonly sessionLifetime: number;
  readonly uploads: UploadStore;
  readonly workers: WorkerPool;
  readonly request: RequestFacts;
  /** Public base URL without a trailing slash, e.g. `https://code.example/millrace`. */
  readonly baseUrl: string;
  /** What SSH clone URLs begin with, e.g. `git@code.example:` or `ssh://git@code.example:2222/`. */
  readonly sshUrl: string;
  readonly storages: RepositoryStorages;
}

/** The caller of an operation, as the worker pool identifies it. */
export const taskCaller = ({
  viewer,
  request,
}: Pick<Context, 'viewer' | 'request'>): TaskCaller => ({
  ...(viewer ? { userId: viewer.id } : { address: request.address }),
  // created on first read
  get signal() {
    return request.signal;
  },
});
