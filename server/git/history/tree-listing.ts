import type { TreeEntry } from '../../../schema/ports/git/store.ts';

/** A tree in git's own format, with the offsets of its entries in display order. */
export interface TreeListing {
  readonly total: number;
  /** Memory used, in bytes. */
  readonly bytes: number;
  /** A range of entries; `folder` is prepended to their paths. */
  slice(folder: string, offset: number, limit: number): TreeEntry[];
  /** The entry at `path`, relative to the listing, or null. */
  find(folder: string, path: string): TreeEntry | null;
}

type EntryType = TreeEntry['type'];

/** Decodes the entry at an offset; paths are relative to the listing's root. */
interface Form {
  readonly pathAt: (bytes: Buffer, start: number) => number;
  readonly decode: (bytes: Buffer, start: number) => Omit<TreeEntry, 'name'>;
}

const spaceByte = 0x20;
const tabByte = 0x09;
const idBytes = 20;
const entryTypeOrder: readonly EntryType[] = ['tree', 'blob', 'commit'];

/** A tree object's content: `<mode> <name>\0<20 bytes>`, one level; as far as it can be read. */
export function listTreeObject(bytes: Buffer): TreeListing {
  const places = emptyPlaces();
  for (let at = 0; at < bytes.length; ) {
    const nul = bytes.indexOf(0, at);
    if (nul < 0 || nul + idBytes >= bytes.length) break;
    places[typeOf(bytes, at)].push(at);
    at = nul + 1 + idBytes;
  }
  return listing(bytes, places, treeObjectForm);
}

/** The output of `git ls-tree -r -t -z`: `<mode> <type> <id>\t<path>\0`, all levels. */
export function listRecursively(bytes: Buffer): TreeListing {
  const places = emptyPlaces();
  for (let at = 0; at < bytes.length; ) {
    const nul = bytes.indexOf(0, at);
    if (nul < 0) throw new Error('git ls-tree was cut off');
    places[typeOf(bytes, at)].push(at);
    at = nul + 1;
  }
  return listing(bytes, places, printedForm);
}

const emptyPlaces = (): Record<EntryType, number[]> => ({ tree: [], blob: [], commit: [] });

/** Old repositories have `040000` instead of `40000`. */
function typeOf(bytes: Buffer, start: number): EntryType {
  const mode = bytes.toString('latin1', start, start + 3);
  if (mode === '400' || mode === '040') return 'tree';
  return mode === '160' ? 'commit' : 'blob';
}

function listing(bytes: Buffer, places: Record<EntryType, number[]>, form: Form): TreeListing {
  // git sorts folders as if their names ended with a slash; the listing sorts them by name
  const keyed = places.tree.map((start) => {
    const path = form.pathAt(bytes, start);
    return { start, key: bytes.subarray(path, bytes.indexOf(0, path)) };
  });
  const trees = keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ start }) => start);
  const order = Uint32Array.from(
    entryTypeOrder.flatMap((type) => (type === 'tree' ? trees : places[type])),
  );
  const show = (folder: string, start: number): TreeEntry => {
    const { path, ...entry } = form.decode(bytes, start);
    const name = path.slice(path.lastIndexOf('/') + 1);
    return { ...entry, name, path: folder === '' ? path : `${folder}/${path}` };
  };
  return {
    total: order.length,
    bytes: bytes.length + order.byteLength,
    slice: (folder, offset, limit) =>
      Array.from(order.subarray(offset, offset + limit), (start) => show(folder, start)),
    find: (folder, path) => {
      const key = Buffer.from(`${path}\0`);
      const start = order.find((place) => {
        const at = form.pathAt(bytes, place);
        return key.equals(bytes.subarray(at, at + key.length));
      });
      return start === undefined ? null : show(folder, start);
    },
  };
}

const treeObjectForm: Form = {
  pathAt: (bytes, start) => bytes.indexOf(spaceByte, start) + 1,
  decode: (bytes, start) => {
    const space = bytes.indexOf(spaceByte, start);
    const nul = bytes.indexOf(0, space);
    return {
      id: bytes.toString('hex', nul + 1, nul + 1 + idBytes),
      type: typeOf(bytes, start),
      path: bytes.toString('utf8', space + 1, nul),
      mode: bytes.toString('latin1', start, space).padStart(6, '0'),
    };
  },
};

const printedForm: Form = {
  pathAt: (bytes, start) => bytes.indexOf(tabByte, start) + 1,
  decode: (bytes, start) => {
    const tab = bytes.indexOf(tabByte, start);
    return {
      id: bytes.toString('latin1', tab - 2 * idBytes, tab),
      type: typeOf(bytes, start),
      path: bytes.toString('utf8', tab + 1, bytes.indexOf(0, tab)),
      mode: bytes.toString('latin1', start, start + 6),
    };
  },
};
