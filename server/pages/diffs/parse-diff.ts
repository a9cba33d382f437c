/** The start of a hunk: the lines before it, since the previous hunk, are not part of the diff. */
export interface HunkStart {
  readonly kind: 'hunk';
  readonly text: string;
  readonly oldStart: number;
  readonly newStart: number;
}

/** A line of a diff by its numbers, as positions of comments name it. */
export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  readonly text: string;
  /** The number before the change, or that of the place where an added line would be. */
  readonly oldPlace: number;
  readonly newPlace: number;
}

/** A remark of git, e.g. that the last line has no newline. */
interface Remark {
  readonly kind: 'remark';
  readonly text: string;
}

export type DiffRow = HunkStart | DiffLine | Remark;

const header = /^@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@/;
const longestHeader = 60;

const kinds: Readonly<Record<string, DiffLine['kind']>> = {
  ' ': 'context',
  '+': 'added',
  '-': 'removed',
};

/** The first `limit` rows of a unified diff, in its order. Text before the first hunk is left out. */
export function parseDiff(diff: string, limit: number): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let [oldPlace, newPlace, isInHunk] = [0, 0, false];
  for (let start = 0; start < diff.length && rows.length < limit; ) {
    const newline = diff.indexOf('\n', start);
    const end = newline < 0 ? diff.length : newline;
    const mark = diff.charAt(start);
    const kind = kinds[mark];
    if (mark === '@') {
      const text = diff.slice(start, end);
      const [, oldStart = '0', newStart = '0'] = header.exec(text.slice(0, longestHeader)) ?? [];
      [oldPlace, newPlace, isInHunk] = [Number(oldStart), Number(newStart), true];
      rows.push({ kind: 'hunk', text, oldStart: oldPlace, newStart: newPlace });
    } else if (isInHunk && kind) {
      rows.push({ kind, text: diff.slice(start + 1, end), oldPlace, newPlace });
      if (kind !== 'added') oldPlace += 1;
      if (kind !== 'removed') newPlace += 1;
    } else if (isInHunk && mark === '\\') {
      rows.push({ kind: 'remark', text: diff.slice(start + 2, end) });
    }
    start = end + 1;
  }
  return rows;
}

/** The key of a line in its file: `12:14`, `12:` for a removed and `:14` for an added one. */
export const lineKey = ({ kind, oldPlace, newPlace }: DiffLine): string =>
  `${kind === 'added' ? '' : oldPlace}:${kind === 'removed' ? '' : newPlace}`;

interface LineCounts {
  readonly added: number;
  readonly removed: number;
  /** All lines of the diff. */
  readonly total: number;
}

/** Counts the changed lines of a unified diff. */
export function countLines(diff: string): LineCounts {
  let [added, removed, total, isInHunk] = [0, 0, 0, false];
  for (let start = 0; start < diff.length; ) {
    const mark = diff.charAt(start);
    if (mark === '@') isInHunk = true;
    if (isInHunk) {
      total += 1;
      if (mark === '+') added += 1;
      if (mark === '-') removed += 1;
    }
    const newline = diff.indexOf('\n', start);
    start = newline < 0 ? diff.length : newline + 1;
  }
  return { added, removed, total };
}
