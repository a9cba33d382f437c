import { type Html, html, type Shown } from '../kernel/html.ts';
import { type DiffLine, type DiffRow, lineKey } from './parse-diff.ts';
import { type ChangedPart, wordChanges } from './word-changes.ts';

/** What the rows of a file need besides its lines. */
export interface RowOptions {
  /** The id of the file on the page; those of its lines begin with it. */
  readonly id: string;
  readonly isParallel: boolean;
  /** The address of more lines of the file after the change; null without any. */
  readonly linesAddress: string | null;
  /** The address of the whole file after the change. */
  readonly blobAddress: string | null;
  /** The address of the form for a comment, to which the key of a line is added; null without it. */
  readonly commentAddress: string | null;
}

/** Rows of a table, and the key of the line that a thread may follow. */
export interface ShownRow {
  readonly markup: Html;
  readonly keys: readonly string[];
}

/** Lines that one link adds to the diff. */
export const linesAtOnce = 20;

const columns = (isParallel: boolean): number => (isParallel ? 4 : 3);

const marked = (text: string, part: ChangedPart | undefined): Shown =>
  part && part.end > part.start
    ? html`${text.slice(0, part.start)}<mark>${text.slice(part.start, part.end)}</mark>${text.slice(part.end)}`
    : text;

const anchorOf = ({ id }: RowOptions, { oldPlace, newPlace }: DiffLine): string =>
  `${id}_${oldPlace}_${newPlace}`;

const numberLink = (options: RowOptions, line: DiffLine, number: number): Html =>
  html`<a href="#${anchorOf(options, line)}">${number}</a>`;

const commentLink = ({ commentAddress }: RowOptions, line: DiffLine): Html | null =>
  commentAddress === null
    ? null
    : html`<a class="add" href="${commentAddress}${lineKey(line)}#comment" data-comment aria-label="Comment on line ${line.kind === 'removed' ? line.oldPlace : line.newPlace}">+</a>`;

/** A line in one column, below both numbers. */
const unifiedRow = (options: RowOptions, line: DiffLine, part: ChangedPart | undefined): Html => {
  const { kind, oldPlace, newPlace } = line;
  const [old, now] = [
    kind === 'removed' ? numberLink(options, line, oldPlace) : kind === 'context' && oldPlace,
    kind !== 'removed' && numberLink(options, line, newPlace),
  ];
  return html`<tr class="${kind}" id="${anchorOf(options, line)}"><td class="n">${old}</td><td class="n">${now}</td><td>${commentLink(options, line)}${marked(line.text, part)}</td></tr>
`;
};

type Side = readonly [line: DiffLine, part: ChangedPart | undefined] | undefined;

const noCells = html`<td class="n"></td><td class="none"></td>`;

function sideCells(options: RowOptions, [line, part]: NonNullable<Side>, isOld: boolean): Html {
  const { kind, oldPlace, newPlace } = line;
  const isAnchor = !isOld || kind === 'removed';
  return html`<td class="n"${isAnchor && html` id="${anchorOf(options, line)}"`}>${numberLink(options, line, isOld ? oldPlace : newPlace)}</td><td class="${kind}">${isAnchor && commentLink(options, line)}${marked(line.text, part)}</td>`;
}

const pairRow = (options: RowOptions, left: Side, right: Side): Html =>
  html`<tr>${left ? sideCells(options, left, true) : noCells}${right ? sideCells(options, right, false) : noCells}</tr>
`;

/** A link to lines that the diff leaves out; a script puts them in place of its row. */
export function expandRow(
  options: RowOptions,
  gap: { readonly from: number; readonly to: number | null; readonly shift: number },
  text: string | null,
): Html {
  const { linesAddress, blobAddress, isParallel } = options;
  const { from, to, shift } = gap;
  const count = to === null ? linesAtOnce : to - from + 1;
  const hasLink = linesAddress !== null && count > 0;
  const query = new URLSearchParams({
    from: String(from),
    ...(to !== null && { to: String(to) }),
    shift: String(shift),
    file: options.id,
    ...(isParallel && { view: 'parallel' }),
  });
  const label =
    count <= linesAtOnce && to !== null
      ? `Show ${count} ${count === 1 ? 'line' : 'lines'}`
      : 'Show more lines';
  return html`<tr class="hunk"><td class="n"${!isParallel && html` colspan="2"`}>${
    hasLink &&
    html`<a href="${blobAddress}#L${from}" data-lines="${linesAddress}?${String(query)}" title="${label}" aria-label="${label} from ${from}">${to === null ? '↓' : '↕'}</a>`
  }</td><td${isParallel && html` colspan="3"`}>${text}</td></tr>
`;
}

/** The rows of the lines of one file. */
export function* diffRows(
  rows: readonly DiffRow[],
  options: RowOptions,
): Generator<ShownRow, void, undefined> {
  const parts = wordChanges(rows);
  let last: DiffLine | null = null;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    if (!row) return;
    if (row.kind === 'hunk') {
      const from: number = last ? last.newPlace + (last.kind === 'removed' ? 0 : 1) : 1;
      const gap = { from, to: row.newStart - 1, shift: row.oldStart - row.newStart };
      yield { markup: expandRow(options, gap, row.text), keys: [] };
    } else if (row.kind === 'remark') {
      const markup = html`<tr class="remark"><td colspan="${columns(options.isParallel)}">${row.text}</td></tr>
`;
      yield { markup, keys: [] };
    } else if (!options.isParallel) {
      last = row;
      yield { markup: unifiedRow(options, row, parts.get(at)), keys: [lineKey(row)] };
    } else if (row.kind === 'context') {
      last = row;
      const side = [row, undefined] as const;
      yield { markup: pairRow(options, side, side), keys: [lineKey(row)] };
    } else {
      const block = changedBlock(rows, at);
      for (const pair of block.pairs) {
        const sides = pair.map((place) => {
          const line = place === null ? null : rows[place];
          return line && 'oldPlace' in line && place !== null
            ? ([line, parts.get(place)] as const)
            : undefined;
        });
        const keys = sides.flatMap((side) => (side ? [lineKey(side[0])] : []));
        yield { markup: pairRow(options, sides[0], sides[1]), keys };
        last = (sides[1] ?? sides[0])?.[0] ?? last;
      }
      at = block.end - 1;
    }
  }
  if (last && mayContinue(rows)) {
    const from = last.newPlace + (last.kind === 'removed' ? 0 : 1);
    const gap = { from, to: null, shift: shiftAfter(last) };
    yield { markup: expandRow(options, gap, null), keys: [] };
  }
}

/** Lines of context after the last change, unless the file ends. */
const usualContext = 3;

/** Whether the file may have lines after the last hunk. */
const mayContinue = (rows: readonly DiffRow[]): boolean =>
  rows.length > usualContext && rows.slice(-usualContext).every(({ kind }) => kind === 'context');

/** How much greater the old numbers are after a line. */
const shiftAfter = ({ kind, oldPlace, newPlace }: DiffLine): number =>
  oldPlace + (kind === 'added' ? 0 : 1) - (newPlace + (kind === 'removed' ? 0 : 1));

type Pair = readonly [number | null, number | null];

/** The places of the removed and added lines from `start` on, side by side. */
function changedBlock(rows: readonly DiffRow[], start: number) {
  const removed: number[] = [];
  const added: number[] = [];
  let end = start;
  for (; end < rows.length; end += 1) {
    const kind = rows[end]?.kind;
    // removed lines after added ones begin another block
    if (kind === 'removed' && added.length === 0) removed.push(end);
    else if (kind === 'added') added.push(end);
    else break;
  }
  const pairs = Array.from(
    { length: Math.max(removed.length, added.length) },
    (_pair, place): Pair => [removed[place] ?? null, added[place] ?? null],
  );
  return { pairs, end };
}
