import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import type { ReadableRepository } from '../repository/types.ts';
import type { ProjectCommit } from './types.ts';

/** The commit of a branch, a tag or a full or short id; throws if there is none. */
export async function findCommit(
  repository: ReadableRepository,
  ref: string,
  { git }: Pick<Context, 'git'>,
): Promise<ProjectCommit> {
  const id = await git.resolveCommit(repository, ref);
  const commit = id && (await git.commitBehind(repository, id));
  if (!commit) throw notFound('Commit');
  return { ...commit, repository };
}
