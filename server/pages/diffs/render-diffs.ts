import { diffRows, type RowOptions } from './diff-rows.ts';
import { countLines, parseDiff } from './parse-diff.ts';

/** A file whose diff is rendered. */
interface FileInput extends Omit<RowOptions, 'isParallel'> {
  readonly diff: string;
  /** The keys of lines that something follows; a file with such lines is always rendered. */
  readonly keys: readonly string[];
}

interface Input {
  readonly files: readonly FileInput[];
  readonly isParallel: boolean;
  /** A file with more lines is left out, unless it is the only one. */
  readonly mostFileLines: number;
  /** Lines and characters of all files together; files beyond them are left out. */
  readonly mostLines: number;
  readonly mostText: number;
}

export interface RenderedFile {
  readonly added: number;
  readonly removed: number;
  /** Why the lines were left out; null if they were not. */
  readonly leftOut: 'file' | 'page' | null;
  /** Whether the file has more lines than are rendered. */
  readonly isCut: boolean;
  /** The rows as markup, cut after each line of `keys`, which are those found. */
  readonly pieces: readonly string[];
  readonly keys: readonly string[];
}

/** The rows of several files. Runs in a worker: a page may have ten thousand lines. */
export function renderDiffs({ files, ...limits }: Input): readonly RenderedFile[] {
  let [lines, text] = [0, 0];
  const isSingle = files.length === 1;
  return files.map(({ diff, keys, ...options }) => {
    const { added, removed, total } = countLines(diff);
    const leftOut = (why: 'file' | 'page'): RenderedFile => ({
      ...{ added, removed, leftOut: why, isCut: false },
      ...{ pieces: [], keys: [] },
    });
    const isWanted = isSingle || keys.length > 0;
    if (!isWanted && total > limits.mostFileLines) return leftOut('file');
    const isBeyond = lines + total > limits.mostLines || text + diff.length > limits.mostText;
    if (!isWanted && isBeyond) return leftOut('page');
    lines += total;
    text += diff.length;
    const rows = parseDiff(diff, limits.mostLines);
    const shown = piecesOf(diffRows(rows, { ...options, isParallel: limits.isParallel }), keys);
    return { added, removed, leftOut: null, isCut: total > rows.length, ...shown };
  });
}

function piecesOf(rows: ReturnType<typeof diffRows>, keys: readonly string[]) {
  const wanted = new Set(keys);
  const pieces: string[] = [];
  const found: string[] = [];
  let piece = '';
  for (const row of rows) {
    piece += row.markup.markup;
    for (const key of row.keys) {
      if (!wanted.has(key)) continue;
      pieces.push(piece);
      found.push(key);
      piece = '';
    }
  }
  return { pieces: [...pieces, piece], keys: found };
}
