import type { Database } from '../../prisma/client.ts';
import type { Directory } from '../ports/directory.ts';
import type { GitStore } from '../ports/git/store.ts';
import type { HookSender } from '../ports/hook-sender.ts';
import type { JobFiles } from '../ports/job-files.ts';
import type { JobNews } from '../ports/job-news.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Passwords } from '../ports/passwords.ts';
import type { Remotes } from '../ports/remotes.ts';
import type { RunnerCache } from '../ports/runner-cache.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { Settings } from '../ports/settings.ts';
import type { SignInLimits } from '../ports/sign-in-limits.ts';
import type { UploadStore } from '../ports/uploads.ts';
import type { Viewers } from '../ports/viewers.ts';
import type { TaskCaller, WorkerPool } from '../ports/worker-pool.ts';
import type { Viewer } from './viewer.ts';

/** The request an operation is part of; the same object for everything one request asks. */
export interface RequestFacts {
  readonly id: string;
  /** The caller's address. */
  readonly address: string;
  /** The administrator who asks in the viewer's place, by `sudo` (v4-behaviour 1.5). */
  readonly sudoerId?: number | null;
  /** The caller authenticated with an OAuth access token: a program acts for the user. */
  readonly isDelegated: boolean;
  /** What is changed after this moment is not to be deleted (v4-behaviour 1.3, 412). */
  readonly unmodifiedSince?: Date | null;
  /** Aborted when the caller goes away; made when it is first read, for work that takes long. */
  readonly signal?: AbortSignal;
}

/** What every operation is given: who asks, and the ports to all that is outside the process. */
export interface Context {
  /** Changes once only: whoever signs in asks the rest of the operation. */
  viewer: Viewer | null;
  readonly db: Database;
  /** Null: no directory server is configured. */
  readonly directory: Directory | null;
  readonly git: GitStore;
  readonly hookSender: HookSender;
  readonly jobFiles: JobFiles;
  readonly jobNews: JobNews;
  readonly jobs: Jobs;
  readonly runnerCache: RunnerCache;
  readonly passwords: Passwords;
  readonly remotes: Remotes;
  readonly secrets: Secrets;
  readonly viewers: Viewers;
  readonly settings: Settings;
  readonly signInLimits: SignInLimits;
  /** Milliseconds that a browser stays signed in without being used. */
  readonly sessionLifetime: number;
  readonly uploads: UploadStore;
  readonly workers: WorkerPool;
  readonly request: RequestFacts;
  /** Public base URL without a trailing slash, e.g. `https://code.example/millrace`. */
  readonly baseUrl: string;
  /** The host that addresses of git over SSH name. */
  readonly sshHost: string;
  /** Names of the configured repository storages. */
  readonly storages: readonly string[];
}

/** The caller of an operation as the worker pool counts it. */
export const taskCaller = ({
  viewer,
  request,
}: Pick<Context, 'viewer' | 'request'>): TaskCaller => ({
  ...(viewer ? { userId: viewer.id } : { address: request.address }),
  // made when it is first read
  get signal() {
    return request.signal;
  },
});
