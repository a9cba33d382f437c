import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { GitFailure, runGit } from '../process/run.ts';
import { maxPooledContentBytes, type ObjectDatabase } from './object-database.ts';

const maxObjectBytes = 512 * 1024 * 1024;

/** The content of an existing object: a small one through the pool, a large one by its own git process. */
export async function readObjectContent(
  storages: Storages,
  objects: ObjectDatabase,
  repository: RepositoryAddress,
  { type, id }: { readonly type: 'tree' | 'commit'; readonly id: string },
): Promise<Buffer> {
  const info = await objects.info(repository, id);
  if (info?.type === type && info.size > maxPooledContentBytes) {
    const gitDir = `--git-dir=${repositoryFolder(storages, repository)}`;
    return runGit([gitDir, 'cat-file', type, id], { limit: maxObjectBytes });
  }
  const answer = info?.type === type ? await objects.content(repository, id) : null;
  if (!answer) throw new GitFailure('cat-file', `${type} ${id} is missing`);
  return answer.content;
}
