import { recordLimitReached } from '../../scheduling/penalties.ts';
import { isSha } from '../names.ts';
import { startGit } from '../process/child.ts';
import type { Environment } from '../process/environment.ts';
import { GitFailure } from '../process/run.ts';

const timeLimitMs = 60_000;
const idLength = 40;
const conflictExitCode = 1;

interface MergeTreeOptions {
  /** Also decides where git writes objects. */
  readonly environment: Environment;
  readonly signal: AbortSignal | null;
  /** Whether to merge commits without a common ancestor. */
  readonly allowsUnrelated?: boolean;
}

/** The tree that `git merge-tree` writes for two commits, without a work tree; null on a conflict. */
export async function mergeTrees(
  folder: string,
  ours: string,
  theirs: string,
  { environment, signal, allowsUnrelated = false }: MergeTreeOptions,
): Promise<string | null> {
  signal?.throwIfAborted();
  const unrelated = allowsUnrelated ? ['--allow-unrelated-histories'] : [];
  const options = ['--write-tree', '--no-messages', ...unrelated];
  const args = [`--git-dir=${folder}`, 'merge-tree', ...options, ours, theirs];
  const child = startGit(args, { environment, signal });
  child.stdin.end();
  const late = setTimeout(() => {
    recordLimitReached();
    child.stop();
  }, timeLimitMs);
  try {
    let text = '';
    // an unbounded list of conflicts follows the tree: read and discard it
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
