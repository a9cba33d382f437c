import process from 'node:process';
import { listingQuestions } from './listing-cases.ts';
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
  /** Every filter and order instead of some. */
  readonly isWhole: boolean;
  /** A part of the title or name of the cases that are wanted. */
  readonly match?: string | undefined;
}

/** An answer that takes longer is slow, whatever the twin does. */
const slow = 100;

const say = (text: string) => process.stdout.write(`${text}\n`);

interface Measured {
  readonly title: string;
  readonly row: Row;
}

/** A table for each listing, and what is short or slow once more at the end; false when a case failed. */
export async function measureListings(
  world: World,
  pace: Pace,
  { isWhole, match = '' }: ListingOptions,
): Promise<boolean> {
  const questions = listingQuestions(world, isWhole).filter(({ title, name }) =>
    `${title} ${name}`.includes(match),
  );
  const measured: Measured[] = [];
  let shownTitle = '';
  let failed = 0;
  for (const { title, name, pages } of questions) {
    if (title !== shownTitle) printHead(listingLayout, `\n${title}`);
    shownTitle = title;
    try {
      for (const made of await pages()) {
        const row = await measureRequests(made, pace);
        printRow(row, listingLayout);
        measured.push({ title, row });
      }
    } catch (error) {
      failed += 1;
      say(`${name} FAILED: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (measured.length > 0) conclude(measured);
  return failed === 0;
}

function conclude(measured: readonly Measured[]): void {
  const short = measured.filter(({ row }) => !isReached(row));
  const isSlow = ({ row }: Measured) => median(row.ours.p99) > slow;
  const ratios = measured.map(({ row }) => ratioOf(row));
  say(
    `\n${measured.length} pages of listings: ${short.length} short of their goal, ` +
      `${measured.filter(isSlow).length} with a p99 above ${slow} ms; ` +
      `ratio ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}, ` +
      `median ${median(ratios).toFixed(2)}`,
  );
  const noted = measured
    .filter((made) => !isReached(made.row) || isSlow(made))
    .toSorted((a, b) => ratioOf(a.row) - ratioOf(b.row));
  for (const { title, row } of noted) {
    say(
      `${ratioOf(row).toFixed(2)}  p99 ${median(row.ours.p99).toFixed(0)} ms  ${title}  ${row.name}`,
    );
  }
}
