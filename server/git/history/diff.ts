import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { GitFailure } from '../process/run.ts';
import type { DiffOutput } from './diff-output.ts';

/** The id of the empty tree; git knows it even when the repository does not contain it. */
export const emptyTreeId = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export function diffReader(storages: Storages, differences: DiffOutput) {
  const diff = async (
    repository: RepositoryAddress,
    { from, to }: { readonly from: string | null; readonly to: string },
    signal?: AbortSignal | null,
  ) => {
    const revisions = [from ?? emptyTreeId, to];
    if (!revisions.every(isSha)) throw new GitFailure('diff-tree', 'malformed id');
    const folder = repositoryFolder(storages, repository);
    return differences({ folder, command: ['diff-tree', '-r'], revisions }, signal);
  };
  return { diff };
}
