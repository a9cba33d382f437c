import { noObject } from '../../../schema/kernel/no-object.ts';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { FormerHeads, GitMerging } from '../../../schema/ports/git/merging.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { newCommit } from '../objects/commit-bytes.ts';
import { newObject, writeObjects } from '../objects/loose-objects.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { gitEnvironmentWith } from '../process/environment.ts';
import { tryGit } from '../process/run.ts';
import { lockWait } from '../refs/ref-updates.ts';
import { updateFailure } from '../refs/update-failure.ts';

const environment = gitEnvironmentWith(lockWait(10_000));

/** Hidden from clients by `gitEnvironment`. */
export const formerHeadsRef = (number: number) => `refs/merge-request-versions/${number}`;

/** The same for the same heads, so that repeated calls write nothing. */
const signature = Buffer.from('Millrace <noreply@localhost> 0 +0000');
const message = 'Former heads of a merge request\n';

/**
 * Keeps the former heads of a merge request as the parents of one commit: git treats each reference
 * of a repository in every push and fetch, so that one for each head would cost all of them.
 */
export function formerHeadKeeper(
  storages: Storages,
  objects: ObjectDatabase,
): Pick<GitMerging, 'formerHeads' | 'keepFormerHeads'> {
  const formerHeads = async (repository: RepositoryAddress, number: number) =>
    (await objects.info(repository, formerHeadsRef(number)))?.id ?? null;

  const keepFormerHeads = async (
    repository: RepositoryAddress,
    { number, shas, before }: FormerHeads,
  ): Promise<boolean> => {
    if (!Number.isSafeInteger(number) || !shas.every(isSha)) throw new Error('Malformed heads');
    const folder = repositoryFolder(storages, repository);
    const tree = newObject('tree', Buffer.alloc(0));
    const parents = [...new Set(shas)].toSorted();
    const author = signature;
    const commit = newCommit({ tree: tree.id, parents, author, committer: author, message });
    const after = parents.length > 0 ? commit.id : null;
    if (after === before) return true;
    if (after !== null) await writeObjects(folder, [tree, commit]);
    const ref = formerHeadsRef(number);
    const { code, stderr } = await tryGit([`--git-dir=${folder}`, 'update-ref', '--stdin', '-z'], {
      environment,
      // a zero id as the former value: the reference must not exist
      input:
        after === null
          ? `delete ${ref}\0${before}\0`
          : `update ${ref}\0${after}\0${before ?? noObject}\0`,
    });
    if (code === 0) return true;
    if ((await formerHeads(repository, number)) !== before) return false;
    throw await updateFailure(folder, stderr || `ended with ${code}`);
  };

  return { formerHeads, keepFormerHeads };
}
