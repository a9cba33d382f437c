import process from 'node:process';

/** How a case is judged: at least so many times the twin's rate, or at most so many times its time. */
export interface Goal {
  readonly kind: 'least' | 'most';
  readonly value: number;
}

/** What the runs of one side gave; `p99` is null where one run is one measurement. */
export interface Side {
  readonly values: readonly number[];
  readonly p99: readonly number[];
}

export interface Row {
  readonly name: string;
  readonly unit: 'req/s' | 's' | 'ms';
  readonly ours: Side;
  readonly twin: Side;
  readonly goal: Goal;
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
};

/** Widths of a table's columns: with wide names the spread is as narrow as it gets. */
export type Layout = readonly number[];

export const caseLayout: Layout = [20, 34, 9, 34, 9, 7, 8, 5];
export const listingLayout: Layout = [56, 26, 9, 26, 9, 7, 8, 5];

const heads = ['case', 'ours', 'p99', 'twin', 'p99', 'ratio', 'goal', ''];

const line = (cells: readonly string[], layout: Layout) =>
  process.stdout.write(
    `${cells
      .map((cell, index) => cell.padEnd(layout[index] ?? 0))
      .join(' ')
      .trimEnd()}\n`,
  );

/** The line above a table; `title` says what its cases are. */
export const printHead = (layout: Layout = caseLayout, title = 'case') =>
  line([title, ...heads.slice(1)], layout);

export const ratioOf = ({ ours, twin }: Row) => median(ours.values) / median(twin.values);

export const isReached = (row: Row) =>
  row.goal.kind === 'least' ? ratioOf(row) >= row.goal.value : ratioOf(row) <= row.goal.value;

/** One line: medians with their spread, the ratio, and whether the goal is reached. */
export function printRow(row: Row, layout: Layout = caseLayout): void {
  const { name, unit, ours, twin, goal } = row;
  const digits = unit === 's' ? 2 : 0;
  const shown = ({ values }: Side) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const spread = `(${least.toFixed(digits)}–${most.toFixed(digits)})`;
    return `${median(values).toFixed(digits)} ${unit} ${spread}`;
  };
  const slowest = ({ p99 }: Side) => (p99.length > 0 ? `${median(p99).toFixed(0)} ms` : '–');
  line(
    [
      name,
      shown(ours),
      slowest(ours),
      shown(twin),
      slowest(twin),
      ratioOf(row).toFixed(2),
      `${goal.kind === 'least' ? '≥' : '≤'} ${goal.value}`,
      isReached(row) ? 'ok' : 'short',
    ],
    layout,
  );
}
