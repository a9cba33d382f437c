import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';

/** Bytes of a blob that a tree names: where that is missing, the repository is damaged, which is told and logged. */
export async function sizeOfTreeBlob(
  repository: RepositoryAddress,
  id: string,
  { git }: Pick<Context, 'git'>,
): Promise<number> {
  const size = await git.blobSize(repository, id);
  if (size === null) throw new Error(`The repository is damaged: blob ${id} is missing`);
  return size;
}
