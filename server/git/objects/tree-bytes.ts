/** A tree entry; an unusual form of its mode is preserved. */
export interface TreeItem {
  readonly mode: string;
  readonly id: string;
}

const spaceByte = 0x20;
const idBytes = 20;

export const isFolder = ({ mode }: TreeItem) => mode === '40000' || mode === '040000';

export const isSubmodule = ({ mode }: TreeItem) => mode === '160000';

export const isLink = ({ mode }: TreeItem) => mode === '120000';

/** Parses a tree object into entries by name. Names are bytes, one character each: they need not be UTF-8. */
export function parseTree(bytes: Buffer): Map<string, TreeItem> {
  const items = new Map<string, TreeItem>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(spaceByte, at);
    const nul = bytes.indexOf(0, space);
    const end = nul + 1 + idBytes;
    if (space < 0 || nul < 0 || end > bytes.length) throw new Error('Damaged tree object');
    const name = bytes.toString('latin1', space + 1, nul);
    // writing the tree again would lose an entry
    if (items.has(name)) throw new Error('Damaged tree object: a name is there twice');
    const mode = bytes.toString('latin1', at, space);
    items.set(name, { mode, id: bytes.toString('hex', nul + 1, end) });
    at = end;
  }
  return items;
}

/** Formats a tree object in git's order, which sorts folder names with a trailing slash. */
export function formatTree(items: ReadonlyMap<string, TreeItem>): Buffer {
  const keyed = Array.from(items, ([name, item]) => ({
    key: isFolder(item) ? `${name}/` : name,
    name,
    item,
  }));
  // one character per byte: comparing strings compares bytes
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const size = keyed.reduce((sum, { name, item }) => sum + item.mode.length + name.length + 22, 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const { name, item } of keyed) {
    at += bytes.write(`${item.mode} ${name}\0`, at, 'latin1');
    at += bytes.write(item.id, at, idBytes, 'hex');
  }
  if (at !== size) throw new Error('An entry of a tree has no whole id');
  return bytes;
}
