import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { Storages } from '../address.ts';
import { type NewObject, newObject } from '../objects/loose-objects.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { readObjectContent } from '../objects/read-object.ts';
import { formatTree, isFolder, parseTree, type TreeItem } from '../objects/tree-bytes.ts';
import { GitFailure } from '../process/run.ts';

interface Folder {
  readonly items: Map<string, TreeItem>;
  /** The subfolders that have been read, by name. */
  readonly below: Map<string, Folder>;
  isChanged: boolean;
}

export type TreeEdit = Awaited<ReturnType<typeof editTree>>;

const folderMode = '40000';

/** Edits the tree of `commit`, null for an empty one; writes nothing. */
export async function editTree(
  storages: Storages,
  objects: ObjectDatabase,
  repository: RepositoryAddress,
  commit: string | null,
) {
  const read = (id: string) =>
    readObjectContent(storages, objects, repository, { type: 'tree', id });
  const open = async (id: string | null): Promise<Folder> => ({
    items: id === null ? new Map() : parseTree(await read(id)),
    below: new Map(),
    isChanged: false,
  });
  const root = commit === null ? null : await objects.info(repository, `${commit}^{tree}`);
  if (commit !== null && !root) throw new GitFailure('cat-file', `commit ${commit} is missing`);
  const top = await open(root?.id ?? null);

  /** The subfolder `name`; null when there is none. */
  const enter = async (folder: Folder, name: string): Promise<Folder | null> => {
    const loaded = folder.below.get(name);
    if (loaded) return loaded;
    const item = folder.items.get(name);
    if (!item || !isFolder(item)) return null;
    const entered = await open(item.id);
    folder.below.set(name, entered);
    return entered;
  };

  /** The existing folders along a path, from the root. */
  const follow = async (names: readonly string[]): Promise<Folder[]> => {
    const folders = [top];
    for (const name of names) {
      const next = await enter(folders[folders.length - 1] as Folder, name);
      if (!next) break;
      folders.push(next);
    }
    return folders;
  };

  /** The entry at a path; null when there is none. */
  const find = async (path: string): Promise<TreeItem | null> => {
    const { names, last } = split(path);
    const folders = await follow(names);
    return (folders.length > names.length && folders.at(-1)?.items.get(last)) || null;
  };

  /** The entries of a folder, '' for the root, by the bytes of their names; null without a folder. */
  const list = async (path: string): Promise<ReadonlyMap<string, TreeItem> | null> => {
    const names = path === '' ? [] : bytesOf(path).split('/');
    const folders = await follow(names);
    return folders.length > names.length ? (folders.at(-1)?.items ?? null) : null;
  };

  /** Adds a file and the folders it needs. False when a parent path is not a folder. */
  const put = async (path: string, item: TreeItem): Promise<boolean> => {
    const { names, last } = split(path);
    const folders = await follow(names);
    for (const name of names.slice(folders.length - 1)) {
      const folder = folders[folders.length - 1] as Folder;
      if (folder.items.has(name)) return false;
      const created = await open(null);
      folder.items.set(name, { mode: folderMode, id: '' });
      folder.below.set(name, created);
      folders.push(created);
    }
    folders.at(-1)?.items.set(last, item);
    for (const folder of folders) folder.isChanged = true;
    return true;
  };

  /** Removes a file and the folders that become empty. */
  const remove = async (path: string) => {
    const { names, last } = split(path);
    const folders = await follow(names);
    if (folders.length <= names.length) return;
    for (const folder of folders) folder.isChanged = true;
    folders.at(-1)?.items.delete(last);
    for (let depth = names.length; depth > 0 && folders[depth]?.items.size === 0; depth -= 1) {
      const name = names[depth - 1] as string;
      folders[depth - 1]?.items.delete(name);
      folders[depth - 1]?.below.delete(name);
    }
  };

  /** The objects to write, the root last. */
  const trees = (): readonly NewObject[] => {
    const objects: NewObject[] = [];
    const close = (folder: Folder): NewObject => {
      for (const [name, below] of folder.below) {
        if (!below.isChanged) continue;
        const mode = folder.items.get(name)?.mode ?? folderMode;
        folder.items.set(name, { mode, id: close(below).id });
      }
      const tree = newObject('tree', formatTree(folder.items));
      objects.push(tree);
      return tree;
    };
    close(top);
    return objects;
  };

  return { find, list, put, remove, trees };
}

/** A path as the bytes git stores, one character per byte. */
const bytesOf = (path: string) => Buffer.from(path).toString('latin1');

function split(path: string) {
  const names = bytesOf(path).split('/');
  return { names: names.slice(0, -1), last: names.at(-1) ?? '' };
}
