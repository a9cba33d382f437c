import { RepositoryFailure } from '../../../schema/kernel/outage.ts';
import { recordLimitReached } from '../../scheduling/penalties.ts';
import { commandOf, type GitChildOptions, startGit } from './child.ts';
import { type PreparedGit, unverified, withIntactCaches, withoutCaches } from './intact-caches.ts';

export interface RunOptions extends GitChildOptions {
  readonly input?: string | Buffer;
  /** Maximum output in bytes; beyond it the child is stopped and the call throws. */
  readonly limit?: number;
  /** Whether an exit status is a failure, after which damaged caches are looked for; from 128 on by default. */
  readonly isFailure?: (code: number | null) => boolean;
  /** Reads the objects without caches, and changes none. */
  readonly ignoresCaches?: boolean;
}

/**
 * Git says so of objects that it cannot read, also where its exit status is that of an answer. A folder of borrowed
 * objects that is missing is no reason to fail as long as no object of it is needed.
 */
export const hasErrors = (complaint: string): boolean =>
  /^(?:fatal|error): (?!object directory .* does not exist|unable to normalize alternate)/m.test(
    complaint,
  );

/** Git exits with 128 or more, or dies of a signal, when it cannot do what it was asked to. */
const isFatal = (code: number | null) => code === null || code >= 128;

const defaultMaxOutputBytes = 16 * 1024 * 1024;

/** Runs git and returns its output with any exit status. */
export function tryGit(args: readonly string[], options: RunOptions = {}) {
  const { environment, signal, isFailure = isFatal } = options;
  if (options.ignoresCaches) return runOnce(withoutCaches(unverified(args, environment)), options);
  return withIntactCaches(
    { args, environment },
    (git) => runOnce(git, options),
    ({ code, stderr }) =>
      (isFailure(code) || hasErrors(stderr)) && !signal?.aborted ? stderr : null,
  );
}

async function runOnce({ args, environment }: PreparedGit, options: RunOptions) {
  const limit = options.limit ?? defaultMaxOutputBytes;
  const child = startGit(args, { ...options, environment });
  child.stdin.end(options.input);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw new GitFailure(commandOf(args), `wrote more than ${limit} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    child.stop();
    throw error;
  }
  const code = await child.exit;
  if (isLate(options.signal)) recordLimitReached();
  return { code, stdout: Buffer.concat(chunks, size), stderr: child.stderr() };
}

/** Whether a signal of `AbortSignal.timeout` has ended the command. */
const isLate = (signal: AbortSignal | null | undefined): boolean =>
  signal?.aborted === true && (signal.reason as Error | undefined)?.name === 'TimeoutError';

/** Runs git and returns its output; throws with the error output on any exit status but 0. */
export async function runGit(args: readonly string[], options: RunOptions = {}): Promise<Buffer> {
  const isFailure = (code: number | null) => code !== 0;
  const { code, stdout, stderr } = await tryGit(args, { isFailure, ...options });
  if (code !== 0) throw new GitFailure(commandOf(args), stderr || `ended with ${code}`);
  return stdout;
}

/** Git failed on a repository: damage, a full disk, a missing folder. */
export class GitFailure extends RepositoryFailure {
  constructor(command: string, reason: string) {
    super(`git ${command}: ${reason}`);
    this.name = 'GitFailure';
  }
}

/** Another process has held a lock for longer than the wait limit. */
export class RepositoryLocked extends RepositoryFailure {
  override readonly text = 'The repository is locked by another process';

  constructor(lock: string) {
    super(`${lock} is held by another process`);
    this.name = 'RepositoryLocked';
  }
}
