import { type GitChildOptions, startGit } from './child.ts';
import { commandOf, GitFailure } from './run.ts';

interface OutputOptions extends Pick<GitChildOptions, 'environment'> {
  readonly signal?: AbortSignal | null | undefined;
  /** What git reads. */
  readonly input?: string | undefined;
  /** After this time git is ended, and what it has said counts. */
  readonly timeLimitMs: number;
  /** Given each piece as it comes; false: nothing more is wanted. */
  readonly onChunk: (chunk: Buffer) => boolean;
}

/** `whole`: git came to its end; `cut`: no more was wanted; `late`: the time was over. */
export type OutputEnd = 'whole' | 'cut' | 'late';

/**
 * Runs git and hands its output over in pieces, so that memory is the caller's matter. Rejects when
 * git fails, and when `signal` ends it: whoever asked is gone.
 */
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
      // what was underway when the time was over is complete up to a point nobody knows
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

/** Runs git for a few words, which are given whole, with how it ended. */
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
