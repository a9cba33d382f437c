/** What the operating system refused. */
export type SystemFailure =
  /** Space on a disk, or a quota of it. */
  | 'full'
  /** Open files, processes or memory, which other requests free again. */
  | 'exhausted'
  /** Any other operation on a file. */
  | 'files';

const full: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
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
  if (full.has(code)) return 'full';
  if (exhausted.has(code)) return 'exhausted';
  if (typeof syscall !== 'string' || ofNetwork.has(syscall) || ofConnection.has(code)) return null;
  return 'files';
}
