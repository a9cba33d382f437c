import { recordLimitReached } from '../../scheduling/penalties.ts';
import { commandOf, type GitChildOptions, startGit } from './child.ts';
import { gitEnvironment } from './environment.ts';
import { type PreparedGit, prepareGit, withIntactCaches, withoutCaches } from './intact-caches.ts';
import { GitFailure, hasErrors, type RunOptions } from './run.ts';

interface OutputOptions extends Omit<GitChildOptions, 'hasChannel'> {
  /** Written to git's stdin. */
  readonly input?: string | undefined;
  /** Git is stopped after this time; output so far is kept. */
  readonly timeLimitMs: number;
  /** An exit status besides 0 that is no failure. */
  readonly alsoSucceedsWith?: number;
  /** Called with each chunk; returns false to stop. */
  readonly onChunk: (chunk: Buffer) => boolean;
  /** Forgets the chunks so far. Without it, git is not run again once there is a chunk. */
  readonly onRestart?: () => void;
}

type CollectOptions = Omit<OutputOptions, 'onChunk' | 'onRestart'>;

/** `whole`: git exited; `cut`: the caller stopped; `late`: the time limit was reached. */
type OutputEnd = 'whole' | 'cut' | 'late';

/** How a run of git ended; `failure` says why if it failed. */
interface OutputRun {
  readonly end: OutputEnd;
  readonly failure: GitFailure | null;
}

/** Runs git and passes its output on in chunks. Rejects when git fails, and when `signal` aborts. */
export async function readOutput(
  args: readonly string[],
  { onChunk, onRestart, ...options }: OutputOptions,
): Promise<OutputEnd> {
  let hasChunk = false;
  const { end, failure } = await withIntactCaches(
    { args, environment: options.environment },
    (git) => {
      if (hasChunk) onRestart?.();
      hasChunk = false;
      const note = (chunk: Buffer) => {
        hasChunk = true;
        return onChunk(chunk);
      };
      return readOnce(git, { ...options, onChunk: note });
    },
    (run) => run.failure?.message ?? null,
    () => !hasChunk || onRestart !== undefined,
  );
  if (failure) throw failure;
  return end;
}

async function readOnce(
  { args, environment }: PreparedGit,
  { signal, input, timeLimitMs, alsoSucceedsWith = 0, onChunk }: OutputOptions,
): Promise<OutputRun> {
  signal?.throwIfAborted();
  const child = startGit(args, { environment, signal });
  child.stdin.end(input ?? '');
  let end: OutputEnd = 'whole';
  const late = setTimeout(() => {
    end = 'late';
    recordLimitReached();
    child.stop();
  }, timeLimitMs);
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      // a chunk that was in flight at the time limit is incomplete
      if (end !== 'whole') continue;
      if (onChunk(chunk)) continue;
      end = 'cut';
      child.stop();
      break;
    }
    const code = await child.exit;
    signal?.throwIfAborted();
    const isAnswer = code === 0 || code === alsoSucceedsWith;
    const hasFailed = end === 'whole' && (!isAnswer || hasErrors(child.stderr()));
    const failure = hasFailed
      ? new GitFailure(commandOf(args), child.stderr() || `ended with ${code}`)
      : null;
    return { end, failure };
  } catch (error) {
    child.stop();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/**
 * Runs git and yields its output as fast as it is consumed, without a limit of time or size: for commands
 * of the operator. Throws after the end of the output if git failed.
 */
export async function* streamOutput(
  args: readonly string[],
  { ignoresCaches = false, input }: Pick<RunOptions, 'ignoresCaches' | 'input'> = {},
): AsyncGenerator<Buffer> {
  const prepared = await prepareGit(args, gitEnvironment, 'whole');
  const git = ignoresCaches ? withoutCaches(prepared) : prepared;
  const child = startGit(git.args, { environment: git.environment });
  child.stdin.end(input);
  let isRead = false;
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    isRead = true;
  } finally {
    if (!isRead) child.stop();
  }
  const code = await child.exit;
  if (code !== 0) throw new GitFailure(commandOf(args), child.stderr() || `ended with ${code}`);
}

/** Runs git and returns the first `limit` bytes of its output, with how it ended. */
export async function readBytes(
  args: readonly string[],
  { limit = Number.POSITIVE_INFINITY, ...options }: CollectOptions & { readonly limit?: number },
): Promise<{ readonly end: OutputEnd; readonly bytes: Buffer }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const onChunk = (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    return size <= limit;
  };
  const onRestart = () => {
    chunks.length = 0;
    size = 0;
  };
  const end = await readOutput(args, { ...options, onChunk, onRestart });
  return { end, bytes: Buffer.concat(chunks, Math.min(size, limit)) };
}

/** Runs git and returns its short output as text, with how it ended. */
export async function readText(
  args: readonly string[],
  options: CollectOptions,
): Promise<{ readonly end: OutputEnd; readonly text: string }> {
  const { end, bytes } = await readBytes(args, options);
  return { end, text: bytes.toString() };
}

/** Runs git and passes on the complete lines of its output, as Latin-1. */
export function readLines(
  args: readonly string[],
  {
    onLines,
    onRestart,
    ...options
  }: CollectOptions &
    Pick<OutputOptions, 'onRestart'> & {
      /** Returns false to stop. */
      readonly onLines: (lines: readonly string[]) => boolean;
    },
): Promise<OutputEnd> {
  let rest = '';
  const onChunk = (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    return onLines(lines);
  };
  const restart = () => {
    rest = '';
    onRestart?.();
  };
  return readOutput(args, { ...options, onChunk, ...(onRestart && { onRestart: restart }) });
}

interface RevListOptions extends CollectOptions {
  readonly folder: string;
  readonly limit: number;
}

/** The newest commits among these revisions; `isCut` if there are more, or the time ran out. */
export async function listCommits(
  revisions: readonly string[],
  { folder, limit, ...options }: RevListOptions,
): Promise<{ readonly ids: readonly string[]; readonly isCut: boolean }> {
  const ids: string[] = [];
  const args = [`--git-dir=${folder}`, 'rev-list', `--max-count=${limit + 1}`, ...revisions, '--'];
  const onLines = (lines: readonly string[]) => ids.push(...lines) >= 0;
  const onRestart = () => {
    ids.length = 0;
  };
  const end = await readLines(args, { ...options, onLines, onRestart });
  return { ids: ids.slice(0, limit), isCut: end !== 'whole' || ids.length > limit };
}
