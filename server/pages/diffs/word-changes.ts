import type { DiffRow } from './parse-diff.ts';

/** The part of a line that its counterpart does not have. */
export interface ChangedPart {
  readonly start: number;
  readonly end: number;
}

/** Longer lines are shown without marks. */
const longestLine = 2_000;

const isWord = (character: string): boolean => /[\p{L}\p{N}_]/u.test(character);

/** Moves a boundary out of the middle of a word. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && isWord(text.charAt(start - 1)) && isWord(text.charAt(start))) start -= 1;
  return start;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isWord(text.charAt(end - 1)) && isWord(text.charAt(end))) end += 1;
  return end;
}

/**
 * The differing parts of two lines, at the boundaries of words, by their common start and end. Null
 * if too little is equal for marks to help.
 */
export function changedParts(
  before: string,
  after: string,
): readonly [ChangedPart, ChangedPart] | null {
  const shorter = Math.min(before.length, after.length);
  if (shorter === 0 || Math.max(before.length, after.length) > longestLine) return null;
  let prefix = 0;
  while (prefix < shorter && before[prefix] === after[prefix]) prefix += 1;
  let suffix = 0;
  while (suffix < shorter - prefix && before.at(-1 - suffix) === after.at(-1 - suffix)) suffix += 1;
  const parts = [before, after].map((text) => ({
    start: wordStart(text, prefix),
    end: wordEnd(text, text.length - suffix),
  }));
  const [removed, added] = parts as [ChangedPart, ChangedPart];
  const start = Math.min(removed.start, added.start);
  const isMuch = (text: string, { end }: ChangedPart) => end - start > text.trim().length * 0.7;
  if (isMuch(before, removed) && isMuch(after, added)) return null;
  return [
    { start, end: Math.max(removed.end, start) },
    { start, end: Math.max(added.end, start) },
  ];
}

/**
 * The changed parts of the lines of a diff, by the rows' places: of each run of removed lines that as
 * many added ones follow.
 */
export function wordChanges(rows: readonly DiffRow[]): ReadonlyMap<number, ChangedPart> {
  const parts = new Map<number, ChangedPart>();
  const endOfRun = (from: number, kind: string) => {
    let end = from;
    while (rows[end]?.kind === kind) end += 1;
    return end;
  };
  for (let at = 0; at < rows.length; ) {
    const middle = endOfRun(at, 'removed');
    const end = endOfRun(middle, 'added');
    const count = middle - at;
    if (count > 0 && end - middle === count) {
      for (let place = at; place < middle; place += 1) {
        const [before, after] = [rows[place]?.text ?? '', rows[place + count]?.text ?? ''];
        const [removed, added] = changedParts(before, after) ?? [];
        if (removed) parts.set(place, removed);
        if (added) parts.set(place + count, added);
      }
    }
    at = Math.max(end, at + 1);
  }
  return parts;
}
