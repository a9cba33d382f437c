import process from 'node:process';

/** A case's goal: at least so many times the twin's rate, or at most so many times its time. */
export interface Goal {
  readonly kind: 'least' | 'most';
  readonly value: number;
}

/** The results of one side's runs; `p99` is empty if a run is a single measurement. */
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

/** Column widths of a table; the listing layout leaves most of the space for names. */
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

/** Prints a table's header; `title` is the heading of the name column. */
export const printHead = (layout: Layout = caseLayout, title = 'case') =>
  line([title, ...heads.slice(1)], layout);

export const ratioOf = ({ ours, twin }: Row) => median(ours.values) / median(twin.values);

export const isReached = (row: Row) =>
  row.goal.kind === 'least' ? ratioOf(row) >= row.goal.value : ratioOf(row) <= row.goal.value;

/** Prints one line: medians with their spread, the ratio, and whether the goal is reached. */
export function printRow(row: Row, layout: Layout = caseLayout): void {
  const { name, unit, ours, twin, goal } = row;
  const digits = unit === 's' ? 2 : 0;
  const format = ({ values }: Side) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const spread = `(${least.toFixed(digits)}–${most.toFixed(digits)})`;
    return `${median(values).toFixed(digits)} ${unit} ${spread}`;
  };
  const slowest = ({ p99 }: Side) => (p99.length > 0 ? `${median(p99).toFixed(0)} ms` : '–');
  line(
    [
      name,
      format(ours),
      slowest(ours),
      format(twin),
      slowest(twin),
      ratioOf(row).toFixed(2),
      `${goal.kind === 'least' ? '≥' : '≤'} ${goal.value}`,
      isReached(row) ? 'ok' : 'short',
    ],
    layout,
  );
}
