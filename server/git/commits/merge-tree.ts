import { recordLimitReached } from '../../scheduling/penalties.ts';
import { isSha } from '../names.ts';
import { startGit } from '../process/child.ts';
import type { Environment } from '../process/environment.ts';
import { type PreparedGit, withIntactCaches } from '../process/intact-caches.ts';
import { GitFailure, hasErrors } from '../process/run.ts';

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
  const tree = await withIntactCaches(
    { args, environment },
    (git) => mergeOnce(git, signal),
    (result) => (result instanceof GitFailure ? result.message : null),
  );
  if (tree instanceof GitFailure) throw tree;
  return tree;
}

async function mergeOnce(
  { args, environment }: PreparedGit,
  signal: AbortSignal | null,
): Promise<string | null | GitFailure> {
  const child = startGit(args, { environment, signal });
  child.stdin.end();
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
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
    // without an object it would merge from a wrong base, and say so beside the tree
    const isAnswer = !hasErrors(child.stderr());
    if (isAnswer && code === conflictExitCode) return null;
    const tree = text.slice(0, idLength);
    if (isAnswer && code === 0 && isSha(tree)) return tree;
    const failure = new GitFailure('merge-tree', child.stderr() || `ended with ${code}`);
    if (isLate) throw failure;
    return failure;
  } catch (error) {
    child.stop();
    throw error;
  } finally {
    clearTimeout(late);
  }
}
