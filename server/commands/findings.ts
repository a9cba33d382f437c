import { type Tally, textOfItem } from '../checks/tally.ts';
import { cellOf, type OutputOptions, type PrintedRecord } from './output.ts';

/** A result of a check; `items` are the records or files that it concerns. */
export interface CheckResult {
  readonly check: string;
  readonly result: 'ok' | 'fixed' | 'warning' | 'error';
  readonly problem: string | null;
  readonly advice: string | null;
  readonly items: Tally | null;
}

export interface FindingOptions extends OutputOptions {
  /** Lists all items of each problem. JSON always has them. */
  readonly all?: boolean;
}

/** Receives results in order, and counts them. */
export interface Findings {
  add(result: CheckResult): void;
  /** Ends the list; throws if there are errors in it. */
  end(): void;
}

const write = (text: string): void => void process.stdout.write(text);

/** Characters of the column with `ok`, `error` and so on. */
const width = 8;

function printText({ check, result, problem, advice, items }: CheckResult, all: boolean): void {
  const text = problem === null ? check : `${check}: ${problem}`;
  const indent = ' '.repeat(width);
  write(`${result.padEnd(width)} ${cellOf(text)}\n`);
  if (all)
    for (const item of items?.items() ?? []) write(`${indent} - ${cellOf(textOfItem(item))}\n`);
  if (advice !== null) write(`${indent} → ${cellOf(advice)}\n`);
}

/** One line for each result and each of its items, so that memory does not grow with them. */
function printJson({ items, ...result }: CheckResult, isFirst: boolean): void {
  const start = JSON.stringify(result satisfies PrintedRecord).slice(0, -1);
  write(`${isFirst ? '[' : ','}\n  ${start},"items":[`);
  let separator = '';
  for (const item of items?.items() ?? []) {
    write(`${separator}\n    ${JSON.stringify(item)}`);
    separator = ',';
  }
  write(`${separator === '' ? '' : '\n  '}]}`);
}

/** Prints results of checks as they come: lines with the advice for each problem below it, or a JSON list. */
export function printedFindings({ json = false, all = false }: FindingOptions): Findings {
  let count = 0;
  let errors = 0;
  return {
    add: (result) => {
      if (json) printJson(result, count === 0);
      else printText(result, all);
      count += 1;
      if (result.result === 'error') errors += 1;
    },
    end: () => {
      if (json) write(count === 0 ? '[]\n' : '\n]\n');
      if (errors > 0) throw new Error(`${errors} of ${count} results are errors.`);
    },
  };
}
