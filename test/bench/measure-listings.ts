import process from 'node:process';
import { listingCases } from './listing-cases.ts';
import { measureRequests, type Pace } from './measure.ts';
import {
  isReached,
  listingLayout,
  median,
  printHead,
  printRow,
  type Row,
  ratioOf,
} from './table.ts';
import type { World } from './world.ts';

export interface ListingOptions {
  /** Every filter and order instead of a sample. */
  readonly isWhole: boolean;
  /** Selects cases whose title or name contains this text. */
  readonly match?: string | undefined;
}

/** A response that takes longer, in milliseconds, is reported as slow, independently of the twin. */
const slow = 100;

const print = (text: string) => process.stdout.write(`${text}\n`);

interface Measured {
  readonly title: string;
  readonly row: Row;
}

/** Prints a table per listing, and the short and slow cases again at the end; false if a case failed. */
export async function measureListings(
  world: World,
  pace: Pace,
  { isWhole, match = '' }: ListingOptions,
): Promise<boolean> {
  const questions = listingCases(world, isWhole).filter(({ title, name }) =>
    `${title} ${name}`.includes(match),
  );
  const measured: Measured[] = [];
  let printedTitle = '';
  let failed = 0;
  for (const { title, name, pages } of questions) {
    if (title !== printedTitle) printHead(listingLayout, `\n${title}`);
    printedTitle = title;
    try {
      for (const page of await pages()) {
        const row = await measureRequests(page, pace);
        printRow(row, listingLayout);
        measured.push({ title, row });
      }
    } catch (error) {
      failed += 1;
      print(`${name} FAILED: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (measured.length > 0) conclude(measured);
  return failed === 0;
}

function conclude(measured: readonly Measured[]): void {
  const short = measured.filter(({ row }) => !isReached(row));
  const isSlow = ({ row }: Measured) => median(row.ours.p99) > slow;
  const ratios = measured.map(({ row }) => ratioOf(row));
  print(
    `\n${measured.length} pages of listings: ${short.length} short of their goal, ` +
      `${measured.filter(isSlow).length} with a p99 above ${slow} ms; ` +
      `ratio ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}, ` +
      `median ${median(ratios).toFixed(2)}`,
  );
  const conspicuous = measured
    .filter((result) => !isReached(result.row) || isSlow(result))
    .toSorted((a, b) => ratioOf(a.row) - ratioOf(b.row));
  for (const { title, row } of conspicuous) {
    print(
      `${ratioOf(row).toFixed(2)}  p99 ${median(row.ours.p99).toFixed(0)} ms  ${title}  ${row.name}`,
    );
  }
}
