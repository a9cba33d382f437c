import { type GitChildOptions, startGit } from './child.ts';
import { commandOf, GitFailure } from './run.ts';

interface OutputOptions extends Pick<GitChildOptions, 'environment'> {
  readonly signal?: AbortSignal | null | undefined;
  /** Written to git's stdin. */
  readonly input?: string | undefined;
  /** Git is stopped after this time; output so far is kept. */
  readonly timeLimitMs: number;
  /** Called with each chunk; returns false to stop. */
  readonly onChunk: (chunk: Buffer) => boolean;
}

/** `whole`: git exited; `cut`: the caller stopped; `late`: the time limit was reached. */
export type OutputEnd = 'whole' | 'cut' | 'late';

/** Runs git and passes its output on in chunks. Rejects when git fails, and when `signal` aborts. */
export async function readOutput(
  args: readonly string[],
  { environment, signal, input, timeLimitMs, onChunk: take }: OutputOptions,
): Promise<OutputEnd> {
  signal?.throwIfAborted();
  const child = startGit(args, { ...(environment && { environment }), ...(signal && { signal }) });
  child.stdin.end(input ?? '');
  let end: OutputEnd = 'whole';
  const late = setTimeout(() => {
    end = 'late';
    child.stop();
  }, timeLimitMs);
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      // a chunk that was in flight at the time limit is incomplete
      if (end !== 'whole') continue;
      if (take(chunk)) continue;
      end = 'cut';
      child.stop();
      break;
    }
    const code = await child.exit;
    signal?.throwIfAborted();
    if (end === 'whole' && code !== 0)
      throw new GitFailure(commandOf(args), child.stderr() || `ended with ${code}`);
    return end;
  } catch (error) {
    child.stop();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Runs git and returns its short output as text, with how it ended. */
export async function readText(
  args: readonly string[],
  options: Omit<OutputOptions, 'onChunk'>,
): Promise<{ readonly end: OutputEnd; readonly text: string }> {
  let text = '';
  const take = (chunk: Buffer) => {
    text += chunk.toString();
    return true;
  };
  const end = await readOutput(args, { ...options, onChunk: take });
  return { end, text };
}
