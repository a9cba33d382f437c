import { type NewObject, newObject } from '../objects/loose-objects.ts';
import { formatTree, isFolder, parseTree, type TreeItem } from '../objects/tree-bytes.ts';

/** A folder that was looked into. */
interface Folder {
  readonly items: Map<string, TreeItem>;
  /** The folders in it that were looked into, by name. */
  readonly below: Map<string, Folder>;
  isChanged: boolean;
}

/** A tree that is being changed; nothing is written before it is done. */
export interface TreeEdit {
  /** What lies at a path; null when there is nothing. */
  find(path: string): Promise<TreeItem | null>;
  /** What lies in a folder, '' for the root, by the bytes of its name; null when there is none. */
  list(path: string): Promise<ReadonlyMap<string, TreeItem> | null>;
  /** Puts a file there, and the folders it needs. False: something on the way is no folder. */
  put(path: string, item: TreeItem): Promise<boolean>;
  /** Takes a file away, and the folders that hold nothing else. */
  remove(path: string): Promise<void>;
  /** The objects to write, the root last. */
  trees(): readonly NewObject[];
}

const folderMode = '40000';

/** Changes the tree `root`, null for none; `read` gives a tree object's content. */
export async function editTree(
  root: string | null,
  read: (id: string) => Promise<Buffer>,
): Promise<TreeEdit> {
  const open = async (id: string | null): Promise<Folder> => ({
    items: id === null ? new Map() : parseTree(await read(id)),
    below: new Map(),
    isChanged: false,
  });
  const top = await open(root);

  /** The folder `name` in another one; null when there is none by that name. */
  const enter = async (folder: Folder, name: string): Promise<Folder | null> => {
    const known = folder.below.get(name);
    if (known) return known;
    const item = folder.items.get(name);
    if (!item || !isFolder(item)) return null;
    const entered = await open(item.id);
    folder.below.set(name, entered);
    return entered;
  };

  /** The folders from the root on, as far as they are there. */
  const follow = async (names: readonly string[]): Promise<Folder[]> => {
    const way = [top];
    for (const name of names) {
      const next = await enter(way[way.length - 1] as Folder, name);
      if (!next) break;
      way.push(next);
    }
    return way;
  };

  const find = async (path: string) => {
    const { names, last } = split(path);
    const way = await follow(names);
    return (way.length > names.length && way.at(-1)?.items.get(last)) || null;
  };

  const list = async (path: string) => {
    const names = path === '' ? [] : bytesOf(path).split('/');
    const way = await follow(names);
    return way.length > names.length ? (way.at(-1)?.items ?? null) : null;
  };

  const put = async (path: string, item: TreeItem) => {
    const { names, last } = split(path);
    const way = await follow(names);
    for (const name of names.slice(way.length - 1)) {
      const folder = way[way.length - 1] as Folder;
      if (folder.items.has(name)) return false;
      const made = await open(null);
      folder.items.set(name, { mode: folderMode, id: '' });
      folder.below.set(name, made);
      way.push(made);
    }
    way.at(-1)?.items.set(last, item);
    for (const folder of way) folder.isChanged = true;
    return true;
  };

  const remove = async (path: string) => {
    const { names, last } = split(path);
    const way = await follow(names);
    if (way.length <= names.length) return;
    for (const folder of way) folder.isChanged = true;
    way.at(-1)?.items.delete(last);
    for (let depth = names.length; depth > 0 && way[depth]?.items.size === 0; depth -= 1) {
      const name = names[depth - 1] as string;
      way[depth - 1]?.items.delete(name);
      way[depth - 1]?.below.delete(name);
    }
  };

  const trees = () => {
    const made: NewObject[] = [];
    const close = (folder: Folder): NewObject => {
      for (const [name, below] of folder.below) {
        if (!below.isChanged) continue;
        const mode = folder.items.get(name)?.mode ?? folderMode;
        folder.items.set(name, { mode, id: close(below).id });
      }
      const tree = newObject('tree', formatTree(folder.items));
      made.push(tree);
      return tree;
    };
    close(top);
    return made;
  };

  return { find, list, put, remove, trees };
}

/** A path as the bytes git stores, a character each. */
const bytesOf = (path: string) => Buffer.from(path).toString('latin1');

function split(path: string) {
  const names = bytesOf(path).split('/');
  return { names: names.slice(0, -1), last: names.at(-1) ?? '' };
}
