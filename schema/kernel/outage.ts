import { type DatabaseFailure, databaseFailure } from '../../prisma/failures.ts';
import { DomainError, unavailable } from './errors.ts';

/** The service's dependencies. */
export type OutagePart = 'database' | 'storage' | 'repository' | 'objects' | 'git' | 'machine';

/** A failure of a dependency, and the response to callers. */
export interface Outage {
  readonly part: OutagePart;
  readonly error: DomainError;
}

/** Thrown if git cannot do what an intact repository would allow. */
export class RepositoryFailure extends Error {
  /** The response text. */
  readonly text: string = 'The repository is not available';
}

/** For `catch` in lists, which survive damage of a part: a substitute for what git cannot read. */
export const ifUnreadable =
  <Substitute>(substitute: Substitute) =>
  (error: unknown): Substitute => {
    if (error instanceof RepositoryFailure) return substitute;
    throw error;
  };

/** Thrown if the object store cannot be reached, or refuses what it should do. */
export class ObjectsUnavailable extends Error {}

/** Thrown if git cannot be started, or the process that starts it is lost. */
export class GitUnavailable extends Error {}

/** Git runs with English messages, because a full disk has no exit status of its own. */
const gitsNoSpace = /No space left on device|Disk quota exceeded/;

/** What the operating system refused. */
export type SystemFailure =
  /** Space on a disk, or a quota of it. */
  | 'full'
  /** Open files, processes or memory, which other requests free again. */
  | 'exhausted'
  /** Any other operation on a file. */
  | 'files';

const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const exhausted: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'EAGAIN',
  'ENOMEM',
  'ENOBUFS',
  // a thread could not be started
  'ERR_WORKER_INIT_FAILED',
]);

/** Calls that concern another program, and what a connection to one ends with. */
const ofNetwork: ReadonlySet<string> = new Set(['connect', 'getaddrinfo', 'bind', 'listen']);
const ofConnection: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * What failed by the error of a system call; null for any other error. A caller that expects a code, such as that
 * of a missing file, handles it: every code that remains is a failure of the machine, never a fault of the client.
 */
export function systemFailure(error: unknown): SystemFailure | null {
  const { code, syscall } = Object(error) as {
    readonly code?: unknown;
    readonly syscall?: unknown;
  };
  if (typeof code !== 'string') return null;
  if (noSpace.has(code)) return 'full';
  if (exhausted.has(code)) return 'exhausted';
  if (typeof syscall !== 'string' || ofNetwork.has(syscall) || ofConnection.has(code)) return null;
  return 'files';
}

/** Seconds; a restarted database or a failed network recovers soon. */
const soon = 10;

/**
 * Seconds; administrators have to free space or repair the storage, and a request that is too slow is as
 * slow soon after.
 */
const later = 60;

const full = (): Outage => ({
  part: 'storage',
  error: unavailable(later, 'Insufficient Storage', 'storage-full'),
});

type AnsweredFailure = Exclude<DatabaseFailure, 'full'>;

/** Seconds until a retry, and the response text. */
const databaseAnswers: Readonly<Record<AnsweredFailure, readonly [number, string]>> = {
  unreachable: [soon, 'The database is not available'],
  'read-only': [soon, 'The service is read-only at the moment'],
  slow: [later, 'The request takes the database too long'],
  busy: [soon, 'The database is busy'],
  failed: [later, 'The database cannot process the request'],
};

/** The outage behind an error, or null if it is an error of another kind. */
export function outageOf(error: unknown): Outage | null {
  if (error instanceof DomainError) return null;
  const failure = databaseFailure(error);
  if (failure === 'full') return full();
  if (failure) {
    const [retryAfter, text] = databaseAnswers[failure];
    return { part: 'database', error: unavailable(retryAfter, text, 'outage') };
  }
  if (error instanceof ObjectsUnavailable) {
    return {
      part: 'objects',
      error: unavailable(soon, 'The object store is not available', 'outage'),
    };
  }
  if (error instanceof GitUnavailable)
    return { part: 'git', error: unavailable(soon, 'Git is not available', 'outage') };
  if (!(error instanceof RepositoryFailure)) return machineOutage(error);
  if (gitsNoSpace.test(error.message)) return full();
  return {
    part: 'repository',
    error: unavailable(later, error.text, 'outage'),
  };
}

function machineOutage(error: unknown): Outage | null {
  switch (systemFailure(error)) {
    case 'full':
      return full();
    case 'exhausted':
      return {
        part: 'machine',
        error: unavailable(soon, 'The server is short of resources', 'outage'),
      };
    case 'files':
      return {
        part: 'storage',
        error: unavailable(later, 'The storage is not available', 'outage'),
      };
    case null:
      return null;
  }
}

/**
 * Runs a write that a read makes in passing, such as the time of the last use: reads work while the database is
 * read-only, so an outage of it is no error here. Returns whether it was written.
 */
export async function writeInPassing(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (outageOf(error)?.part !== 'database') throw error;
    return false;
  }
}
