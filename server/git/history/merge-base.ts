import { isSha } from '../names.ts';
import { GitFailure, hasErrors, type RunOptions, tryGit } from '../process/run.ts';

const noMergeBase = 1;

/** The exit status of a command that git answers by it; throws if it could not read a commit. */
export function requireAnswer(
  command: string,
  { code, stderr }: { readonly code: number | null; readonly stderr: string },
): 0 | 1 {
  const isAnswer = (code === 0 || code === 1) && !hasErrors(stderr);
  if (!isAnswer) throw new GitFailure(command, stderr || `ended with ${code}`);
  return code;
}

/** The best common ancestor of two commits; null if their histories have none. */
export async function findMergeBase(
  folder: string,
  [one, other]: readonly [string, string],
  options: Pick<RunOptions, 'environment' | 'signal'>,
): Promise<string | null> {
  const result = await tryGit([`--git-dir=${folder}`, 'merge-base', one, other], options);
  options.signal?.throwIfAborted();
  if (requireAnswer('merge-base', result) === noMergeBase) return null;
  const base = result.stdout.toString().trimEnd();
  if (!isSha(base)) throw new GitFailure('merge-base', 'named no commit');
  return base;
}
