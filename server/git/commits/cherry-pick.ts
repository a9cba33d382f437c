import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { CommitPick, CommitRevert } from '../../../schema/ports/git/commit-writing.ts';
import type { Writer } from '../../../schema/ports/git/writing.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
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

/** A change to apply to a commit, as a merge from a base. */
interface AppliedChange {
  /** The commit before the change; null for none. */
  readonly base: string | null;
  /** The tree, or the only child of `base`, after the change. */
  readonly changed: { readonly tree: string } | { readonly commit: string };
  readonly onto: string;
  readonly committer: Writer;
}

type Unapplied = { readonly fault: 'conflict' | 'empty' };

/** Applies a commit's changes against its first parent to another commit, and gives the new one. */
export type ApplyCommit = (
  repository: RepositoryAddress,
  pick: CommitPick,
  signal?: AbortSignal | null,
) => Promise<{ readonly id: string } | Unapplied>;

/** Cherry-picks and reverts commits without a work tree. */
export function cherryPicker(storages: Storages, objects: ObjectDatabase) {
  const readCommit = (repository: RepositoryAddress, id: string) =>
    readObjectContent(storages, objects, repository, { type: 'commit', id });

  const turn = turnsOf('cherry-picks', maxConcurrent);

  /** The tree of `onto` with the change. */
  const apply = async (
    repository: RepositoryAddress,
    { base: baseId, changed, onto, committer }: AppliedChange,
    signal: AbortSignal | null,
  ): Promise<{ readonly tree: string } | Unapplied> => {
    const folder = repositoryFolder(storages, repository);
    const head = parseCommit(onto, await readCommit(repository, onto));
    const after = 'commit' in changed ? changed.commit : changed.tree;
    const isLarge = await mergesLargeFiles(
      folder,
      { before: baseId ?? emptyTreeId, after, onto },
      (name) => objects.info(repository, name),
    );
    if (isLarge) return { fault: 'conflict' };
    const now = signatureOf(committer);
    const write = (tree: string, parents: readonly string[]) =>
      writeNewCommit(folder, { tree, parents, author: now, committer: now, message: '' });

    // git 2.39 has no `--merge-base` option: give both sides the intended base as their parent
    const base = baseId ?? (await write(await writeEmptyTree(folder), []));
    const [ours, theirs] = await Promise.all([
      write(head.treeId, [base]),
      'commit' in changed ? changed.commit : write(changed.tree, [base]),
    ]);
    const tree = await turn(() => mergeTrees(folder, ours, theirs, { environment, signal }), {
      project: folder,
      signal,
    });
    if (tree === null) return { fault: 'conflict' };
    return tree === head.treeId ? { fault: 'empty' } : { tree };
  };

  const applyCommit: ApplyCommit = async (
    repository,
    { commit, onto, committer },
    signal = null,
  ) => {
    const folder = repositoryFolder(storages, repository);
    const content = await readCommit(repository, commit);
    const { parentIds, treeId } = parseCommit(commit, content);
    const applied = await apply(
      repository,
      {
        base: parentIds[0] ?? null,
        changed: parentIds.length === 1 ? { commit } : { tree: treeId },
        onto,
        committer,
      },
      signal,
    );
    if ('fault' in applied) return applied;
    const now = signatureOf(committer);
    const id = await writeNewCommit(folder, {
      author: now,
      ...readAuthored(content),
      tree: applied.tree,
      parents: [onto],
      committer: now,
    });
    return { id };
  };

  const pickCommit = async (
    repository: RepositoryAddress,
    pick: CommitPick,
    signal: AbortSignal | null = null,
  ): Promise<string | null> => {
    const applied = await applyCommit(repository, pick, signal);
    return 'id' in applied ? applied.id : null;
  };

  const revertCommit = async (
    repository: RepositoryAddress,
    { commit, onto, committer, message }: CommitRevert,
    signal: AbortSignal | null = null,
  ): Promise<string | null> => {
    const folder = repositoryFolder(storages, repository);
    const { parentIds } = parseCommit(commit, await readCommit(repository, commit));
    const [parent] = parentIds;
    const before = parent
      ? parseCommit(parent, await readCommit(repository, parent)).treeId
      : await writeEmptyTree(folder);
    const change = { base: commit, changed: { tree: before }, onto, committer };
    const applied = await apply(repository, change, signal);
    if ('fault' in applied) return null;
    const { tree } = applied;
    const now = signatureOf(committer);
    return writeNewCommit(folder, { tree, parents: [onto], author: now, committer: now, message });
  };

  return { applyCommit, pickCommit, revertCommit };
}

async function writeNewCommit(
  folder: string,
  commit: Parameters<typeof newCommit>[0],
): Promise<string> {
  const written = newCommit(commit);
  await writeObjects(folder, [written]);
  return written.id;
}

async function writeEmptyTree(folder: string): Promise<string> {
  const tree = newObject('tree', Buffer.alloc(0));
  await writeObjects(folder, [tree]);
  return tree.id;
}
