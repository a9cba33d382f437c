import type { Context } from '../kernel/context.ts';
import type { ReadableRepository } from './types.ts';

/** The id of the commit that a branch, tag or id stands for, of the default branch's when nothing is named; or null. */
export const commitOf = (
  repository: ReadableRepository,
  ref: string | null | undefined,
  git: Context['git'],
): Promise<string | null> =>
  git.resolveCommit(repository, ref ?? repository.defaultBranch ?? 'HEAD');
