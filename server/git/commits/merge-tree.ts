import { isSha } from '../names.ts';
import { startGit } from '../process/child.ts';
import type { Environment } from '../process/environment.ts';
import { GitFailure } from '../process/run.ts';

const timeLimitMs = 60_000;
const idLength = 40;
const conflictExitCode = 1;

export interface MergeTreeOptions {
  /** Where git writes the objects it makes. */
  readonly environment: Environment;
  readonly signal: AbortSignal | null;
  /** Whether two that have nothing in common are merged too. */
  readonly allowsStrangers?: boolean;
}

/** The tree that `git merge-tree` makes of two commits, without a work tree; null when there is a conflict. */
export async function mergeTrees(
  folder: string,
  ours: string,
  theirs: string,
  { environment, signal, allowsStrangers = false }: MergeTreeOptions,
): Promise<string | null> {
  signal?.throwIfAborted();
  const strangers = allowsStrangers ? ['--allow-unrelated-histories'] : [];
  const options = ['--write-tree', '--no-messages', ...strangers];
  const args = [`--git-dir=${folder}`, 'merge-tree', ...options, ours, theirs];
  const child = startGit(args, { environment, ...(signal && { signal }) });
  child.stdin.end();
  const late = setTimeout(child.stop, timeLimitMs);
  try {
    let text = '';
    // after the tree come the conflicts, of which there may be any number
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      if (text.length < idLength) text += chunk.toString('latin1', 0, idLength);
    }
    const code = await child.exit;
    signal?.throwIfAborted();
    if (code === conflictExitCode) return null;
    const tree = text.slice(0, idLength);
    if (code === 0 && isSha(tree)) return tree;
    throw new GitFailure('merge-tree', child.stderr() || `ended with ${code}`);
  } catch (error) {
    child.stop();
    throw error;
  } finally {
    clearTimeout(late);
  }
}
