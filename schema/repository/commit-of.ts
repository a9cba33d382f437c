import type { Context } from '../kernel/context.ts';
import type { ReadableRepository } from './types.ts';

/** The commit id of a branch, tag or id, by default of the default branch; or null. */
export const commitOf = (
  repository: ReadableRepository,
  ref: string | null | undefined,
  git: Context['git'],
): Promise<string | null> =>
  git.resolveCommit(repository, ref ?? repository.defaultBranch ?? 'HEAD');
