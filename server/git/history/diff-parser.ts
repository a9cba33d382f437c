/** A changed file, from the `--raw` part of the output. */
export interface RawEntry {
  readonly aMode: string;
  readonly bMode: string;
  /** `A`, `D`, `M`, `R`, `T`. */
  readonly status: string;
  /** Percent; null unless the file was renamed. */
  readonly similarity: number | null;
  /** The ids of the contents; zeros where there is none. */
  readonly aId: string;
  readonly bId: string;
  readonly oldPath: string;
  readonly newPath: string;
}

interface DiffHandlers {
  /** An entry is too long to be read: neither it nor what follows is passed. */
  readonly cut: () => void;
  /** Returns false to stop. */
  readonly entry: (entry: RawEntry) => void;
  readonly section: (text: Buffer | null) => boolean;
}

const sectionHeader = Buffer.from('\ndiff --git ');
const colonByte = 0x3a;
const emptyBuffer = Buffer.alloc(0);
/** Longer than any line that names a usual file. */
const maxEntryBytes = 64 * 1024;

/**
 * Parses the output of `git diff-tree -z --raw -p` incrementally: first the entries, then a NUL,
 * then a section of text for each. Sections longer than `largestSection` bytes are passed as null.
 */
export function diffParser(largestSection: number, { cut, entry, section }: DiffHandlers) {
  let isInEntries = true;
  let isCut = false;
  let rest: Buffer = emptyBuffer;
  let pieces: Buffer[] = [];
  let size = 0;
  let isOpen = false;

  const keep = (piece: Buffer) => {
    size += piece.length;
    if (size <= largestSection) pieces.push(piece);
    else pieces = [];
  };
  const close = () => {
    const text = size <= largestSection ? Buffer.concat(pieces, size) : null;
    pieces = [];
    size = 0;
    return section(text);
  };

  const readEntries = (bytes: Buffer): Buffer => {
    let at = 0;
    while (at < bytes.length) {
      if (bytes[at] !== colonByte) {
        isInEntries = false;
        return bytes.subarray(at + 1);
      }
      const fields = bytes.indexOf(0, at);
      const path = fields < 0 ? -1 : bytes.indexOf(0, fields + 1);
      if (path < 0) break;
      const [aMode = '', bMode = '', aId = '', bId = '', status = ''] = bytes
        .toString('latin1', at + 1, fields)
        .split(' ');
      const isRenamed = status.startsWith('R');
      const end = isRenamed ? bytes.indexOf(0, path + 1) : path;
      if (end < 0) break;
      const oldPath = bytes.toString('utf8', fields + 1, path);
      const newPath = isRenamed ? bytes.toString('utf8', path + 1, end) : oldPath;
      const similarity = isRenamed ? Number(status.slice(1)) : null;
      const kind = status.slice(0, 1);
      entry({ aMode, bMode, aId, bId, status: kind, similarity, oldPath, newPath });
      at = end + 1;
    }
    if (bytes.length - at > maxEntryBytes) {
      isCut = true;
      cut();
      return emptyBuffer;
    }
    rest = Buffer.from(bytes.subarray(at));
    return emptyBuffer;
  };

  const readSections = (bytes: Buffer): boolean => {
    if (bytes.length === 0) return true;
    isOpen = true;
    let at = 0;
    for (;;) {
      const next = bytes.indexOf(sectionHeader, at);
      if (next < 0) break;
      keep(bytes.subarray(at, next + 1));
      at = next + 1;
      if (!close()) return false;
    }
    // the header of the next section may be split between chunks
    const sure = Math.max(at, bytes.length - sectionHeader.length + 1);
    if (sure > at) keep(bytes.subarray(at, sure));
    rest = Buffer.from(bytes.subarray(sure));
    return true;
  };

  return {
    /** Returns false to stop. */
    read: (chunk: Buffer): boolean => {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      rest = emptyBuffer;
      const sections = isInEntries ? readEntries(bytes) : bytes;
      return !isCut && readSections(sections);
    },
    /** Call at the end of the output: passes the last section. */
    end: (): void => {
      if (!isOpen) return;
      keep(rest);
      close();
    },
  };
}
