import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type {
  ChangeFault,
  CommitWritten,
  FileChange,
  NewCommit,
} from '../../../schema/ports/git/commit-writing.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { newCommit } from '../objects/commit-bytes.ts';
import { type NewObject, newObject, writeObjects } from '../objects/loose-objects.ts';
import { maxPooledContentBytes, type ObjectDatabase } from '../objects/object-database.ts';
import { signatureOf } from '../objects/signature.ts';
import {
  DamagedTree,
  isFolder,
  isLink,
  isSubmodule,
  type TreeItem,
} from '../objects/tree-bytes.ts';
import { GitFailure } from '../process/run.ts';
import { isSpecial, isWellFormed } from './special-files.ts';
import { editTree, type TreeEdit } from './tree-edit.ts';

const fileMode = '100644';
/** Each object costs an fsync. */
const maxObjects = 20_000;

/** Writes commits from changes to single files. */
export function commitWriter(storages: Storages, objects: ObjectDatabase) {
  /** Git validates the content of some file names, whether it was written or moved there. */
  const isMalformed = async (
    repository: RepositoryAddress,
    path: string,
    edit: TreeEdit,
    blobs: ReadonlyMap<string, NewObject>,
  ): Promise<boolean> => {
    const item = await edit.find(path);
    if (!item || isFolder(item)) return false;
    if (isLink(item) || isSubmodule(item)) return true;
    const written = blobs.get(item.id);
    if (written) return !isWellFormed(path, written.content);
    const info = await objects.info(repository, item.id);
    if (!info) throw new GitFailure('cat-file', `blob ${item.id} is missing`);
    if (info.type !== 'blob' || info.size > maxPooledContentBytes) return true;
    const answer = await objects.content(repository, info.id);
    return !answer || !isWellFormed(path, answer.content);
  };

  const write = async (
    repository: RepositoryAddress,
    { parent, changes, message, author, committer }: NewCommit,
  ): Promise<CommitWritten> => {
    const edit = await editTree(storages, objects, repository, parent);
    const blobs = new Map<string, NewObject>();
    for (const change of changes) {
      const fault = await apply(change, edit, blobs);
      if (fault) return { fault };
    }
    for (const { path } of changes) {
      if (isSpecial(path) && (await isMalformed(repository, path, edit, blobs))) {
        return { fault: 'malformed' };
      }
    }
    const trees = edit.trees();
    const tree = trees.at(-1)?.id ?? '';
    const commit = newCommit({
      tree,
      parents: parent === null ? [] : [parent],
      author: signatureOf(author),
      committer: signatureOf(committer),
      message,
    });
    const written = [...blobs.values(), ...trees, commit];
    if (written.length > maxObjects) return { fault: 'too many' };
    await writeObjects(repositoryFolder(storages, repository), written);
    return { id: commit.id };
  };

  const writeCommit = (repository: RepositoryAddress, commit: NewCommit) =>
    write(repository, commit).catch((error: unknown): CommitWritten => {
      if (error instanceof DamagedTree) return { fault: 'damaged' };
      throw error;
    });

  return { writeCommit };
}

/** Applies one change or returns why it cannot be applied; adds the blobs to write to `blobs`. */
async function apply(
  change: FileChange,
  edit: TreeEdit,
  blobs: Map<string, NewObject>,
): Promise<ChangeFault | null> {
  const put = async (path: string, mode: string, content: Uint8Array | null, id = '') => {
    if (content === null) return (await edit.put(path, { mode, id })) ? null : 'file';
    const blob = newObject('blob', Buffer.from(content));
    blobs.set(blob.id, blob);
    return (await edit.put(path, { mode, id: blob.id })) ? null : 'file';
  };
  const { path } = change;
  const existing = await edit.find(path);
  switch (change.kind) {
    case 'create':
      if (existing) return conflictOf(existing);
      return put(path, fileMode, change.content);
    case 'update':
      if (!existing || isFolder(existing) || isSubmodule(existing)) return 'missing';
      return isLink(existing) ? 'link' : put(path, existing.mode, change.content);
    case 'delete':
      if (!existing || isFolder(existing)) return 'missing';
      await edit.remove(path);
      return null;
    case 'move': {
      const { previousPath, content } = change;
      const moved = await edit.find(previousPath);
      if (!moved || isFolder(moved)) return 'missing';
      if (content && (isLink(moved) || isSubmodule(moved))) return 'link';
      if (path === previousPath) return 'file';
      await edit.remove(previousPath);
      // look it up again: removing the last file also removed its folder
      const occupant = await edit.find(path);
      return occupant ? conflictOf(occupant) : put(path, moved.mode, content, moved.id);
    }
  }
}

const conflictOf = (item: TreeItem): ChangeFault => (isFolder(item) ? 'folder' : 'file');
