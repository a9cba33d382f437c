import { RepositoryFailure } from '../../../schema/kernel/outage.ts';

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

/** A tree that cannot be written again without a loss. */
export class DamagedTree extends RepositoryFailure {}

/**
 * Parses a tree object into entries by name, to write it again. Names are bytes, one character each:
 * they need not be UTF-8. Throws `DamagedTree` if an entry would be lost.
 */
export function parseTree(bytes: Buffer): Map<string, TreeItem> {
  const { items, damage } = readTree(bytes);
  if (damage !== null) throw new DamagedTree(`Damaged tree object: ${damage}`);
  return items;
}

/** As `parseTree`, to show it: never throws, and of several entries with a name gives the first. */
export function readTree(bytes: Buffer): {
  readonly items: Map<string, TreeItem>;
  /** Why entries are missing; null if none is. */
  readonly damage: string | null;
} {
  const items = new Map<string, TreeItem>();
  let damage: string | null = null;
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(spaceByte, at);
    const nul = space < 0 ? -1 : bytes.indexOf(0, space);
    const end = nul + 1 + idBytes;
    if (nul < 0 || end > bytes.length) return { items, damage: 'it is cut off' };
    const name = bytes.toString('latin1', space + 1, nul);
    if (items.has(name)) damage = 'a name is there twice';
    else {
      const mode = bytes.toString('latin1', at, space);
      items.set(name, { mode, id: bytes.toString('hex', nul + 1, end) });
    }
    at = end;
  }
  return { items, damage };
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
