/** A line of a diff by its numbers in both versions; null where the version does not have it. */
export interface LineNumbers {
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

/** A line that a diff shows. */
export interface DiffLine extends LineNumbers {
  /** The number in the old version that an added line would have there. */
  readonly oldPlace: number;
  /** The number in the new version that a removed line would have there. */
  readonly newPlace: number;
}

const header = /^@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@/;
const longestHeader = 60;

/** The lines that the unified diff of a file shows, in its order. */
export function* linesOf(diff: string): Generator<DiffLine> {
  let oldPlace = 0;
  let newPlace = 0;
  for (let start = 0; start < diff.length; ) {
    const newline = diff.indexOf('\n', start);
    const mark = diff[start];
    if (mark === '@') {
      const [, oldStart, newStart] = header.exec(diff.slice(start, start + longestHeader)) ?? [];
      oldPlace = Number(oldStart);
      newPlace = Number(newStart);
    } else if (oldPlace > 0 || newPlace > 0) {
      const isOld = mark === ' ' || mark === '-';
      const isNew = mark === ' ' || mark === '+';
      const oldLine = isOld ? oldPlace : null;
      const newLine = isNew ? newPlace : null;
      if (isOld || isNew) yield { oldLine, newLine, oldPlace, newPlace };
      if (isOld) oldPlace += 1;
      if (isNew) newPlace += 1;
    }
    start = newline < 0 ? diff.length : newline + 1;
  }
}

/** The line with these numbers, if the diff shows it. */
export function lineOf(diff: string, { oldLine, newLine }: LineNumbers): DiffLine | null {
  for (const line of linesOf(diff)) {
    if (line.oldLine === oldLine && line.newLine === newLine) return line;
  }
  return null;
}

/** The numbers of the lines of the old version that the diff removes. */
export function removedLines(diff: string): ReadonlySet<number> {
  const removed = new Set<number>();
  for (const { oldLine, newLine } of linesOf(diff)) {
    if (oldLine !== null && newLine === null) removed.add(oldLine);
  }
  return removed;
}
