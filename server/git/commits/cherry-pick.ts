import pLimit from 'p-limit';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { CommitPick } from '../../../schema/ports/git/commit-writing.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { emptyTreeId } from '../history/diff.ts';
import { newCommit, readAuthored } from '../objects/commit-bytes.ts';
import { parseCommit } from '../objects/commit-objects.ts';
import { newObject, writeObjects } from '../objects/loose-objects.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { readObjectContent } from '../objects/read-object.ts';
import { signatureOf } from '../objects/signature.ts';
import { gitEnvironmentWith } from '../process/environment.ts';
import { mergesLargeFiles } from './large-merges.ts';
import { mergeTrees } from './merge-tree.ts';

/** Sync the objects that git writes before a reference points to them. */
const environment = gitEnvironmentWith({ 'core.fsync': 'committed,loose-object' });

const maxConcurrent = 2;

/** Cherry-picks commits without a work tree. */
export function cherryPicker(storages: Storages, objects: ObjectDatabase) {
  const readCommit = (repository: RepositoryAddress, id: string) =>
    readObjectContent(storages, objects, repository, { type: 'commit', id });

  const turn = pLimit(maxConcurrent);

  const pickCommit = async (
    repository: RepositoryAddress,
    { commit, onto, committer }: CommitPick,
    signal: AbortSignal | null = null,
  ): Promise<string | null> => {
    const folder = repositoryFolder(storages, repository);
    const content = await readCommit(repository, commit);
    const picked = parseCommit(commit, content);
    const head = parseCommit(onto, await readCommit(repository, onto));
    const now = signatureOf(committer);
    const write = async (tree: string, parents: readonly string[], authored?: Buffer) => {
      const authorship = authored ? readAuthored(authored) : { author: now, message: '' };
      const written = newCommit({ ...authorship, tree, parents, committer: now });
      await writeObjects(folder, [written]);
      return written.id;
    };

    const isLarge = await mergesLargeFiles(
      folder,
      { before: picked.parentIds[0] ?? emptyTreeId, after: commit, onto },
      (name) => objects.info(repository, name),
    );
    if (isLarge) return null;

    // git 2.39 has no `--merge-base` option: give both sides the intended base as their parent
    const base = picked.parentIds[0] ?? (await write(await writeEmptyTree(folder), []));
    const [ours, theirs] = await Promise.all([
      write(head.treeId, [base]),
      picked.parentIds.length === 1 ? commit : write(picked.treeId, [base]),
    ]);
    const tree = await turn(() => mergeTrees(folder, ours, theirs, { environment, signal }));
    if (tree === null || tree === head.treeId) return null;
    return write(tree, [onto], content);
  };

  return { pickCommit };
}

async function writeEmptyTree(folder: string): Promise<string> {
  const tree = newObject('tree', Buffer.alloc(0));
  await writeObjects(folder, [tree]);
  return tree.id;
}
