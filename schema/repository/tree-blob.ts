import type { Context } from '../kernel/context.ts';
import { RepositoryFailure } from '../kernel/outage.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';

const missingBlob = (id: string) => new RepositoryFailure(`blob ${id} is missing`);

/**
 * The bytes of a blob that a tree names. If it is missing, the repository is damaged, which is
 * reported and logged.
 */
export async function sizeOfTreeBlob(
  repository: RepositoryAddress,
  id: string,
  { git }: Pick<Context, 'git'>,
): Promise<number> {
  const size = await git.blobSize(repository, id);
  if (size === null) throw missingBlob(id);
  return size;
}
