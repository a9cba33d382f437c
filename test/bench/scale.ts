import process from 'node:process';
import { type BenchRequest, load, requestsFor } from './load.ts';
import { type ScaleCaller, type ScaleCase, scaleCases } from './scale-cases.ts';
import { type ScaleService, startScaleService } from './scale-database.ts';
import { rootToken } from './service.ts';

/** The bench of listings on a large and a small database, which starts services of its own. */
export const scale = 'scale';

const largeProjects = 20_000;
const smallProjects = largeProjects / 100;

/** So few connections that a response's time includes no queueing. */
const connections = 4;

/** A listing on the large database takes at most so many times as long as on the small one. */
const mostTimes = 3;
const mostTimesIfCostly = 10;
/** Or the 99th percentile is at most so many milliseconds. */
const longest = 50;

interface ScaleRow {
  readonly name: string;
  readonly small: number;
  readonly large: number;
  readonly p99: number;
  readonly isReached: boolean;
}

export interface ScaleOptions {
  readonly seconds: number;
  readonly flags: readonly string[];
  /** Selects cases whose name contains this text. */
  readonly match?: string | undefined;
}

/**
 * Prints each listing's requests a second on both databases, and the listings short of the goal at the
 * end. False if a listing could not be measured.
 */
export async function measureScale({ seconds, flags, match = '' }: ScaleOptions): Promise<boolean> {
  const small = await startScaleService(smallProjects, flags);
  try {
    const large = await startScaleService(largeProjects, flags);
    try {
      return await measureAll(small, large, { seconds, match });
    } finally {
      await large.stop();
    }
  } finally {
    await small.stop();
  }
}

async function measureAll(
  small: ScaleService,
  large: ScaleService,
  { seconds, match }: { readonly seconds: number; readonly match: string },
): Promise<boolean> {
  const rows: ScaleRow[] = [];
  let isComplete = true;
  printLine(['listing', 'caller', 'small', 'large', 'ratio', 'p99', '']);
  for (const scaleCase of scaleCases.filter(({ name }) => name.includes(match))) {
    for (const caller of scaleCase.callers) {
      try {
        const row = await measureCase(scaleCase, caller, [small, large], seconds);
        printRow(row);
        rows.push(row);
      } catch (error) {
        isComplete = false;
        print(`${scaleCase.name} FAILED: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  const short = rows.filter(({ isReached }) => !isReached);
  print(
    `\n${rows.length} listings, ${short.length} slower than ${mostTimes} times the small database ` +
      `(deep pages and searches: ${mostTimesIfCostly} times) and than ${longest} ms, the worst first`,
  );
  for (const row of short.toSorted((a, b) => b.small / b.large - a.small / a.large)) printRow(row);
  return isComplete;
}

async function measureCase(
  { name, pathOf, isCostly }: ScaleCase,
  caller: ScaleCaller,
  services: readonly [small: ScaleService, large: ScaleService],
  seconds: number,
): Promise<ScaleRow> {
  const loads = [];
  for (const { url, targets, memberToken } of services) {
    const tokens = { admin: rootToken, member: memberToken, anonymous: null };
    const token = tokens[caller];
    const request: BenchRequest = {
      path: pathOf(targets),
      headers: token === null ? {} : { 'Private-Token': token },
    };
    const requests = await requestsFor(url, [request], { seconds, connections });
    loads.push(await load(url, [request], { connections, requests }));
  }
  const [small, large] = loads as [(typeof loads)[0], (typeof loads)[0]];
  const times = small.rate / large.rate;
  const isReached = times <= (isCostly ? mostTimesIfCostly : mostTimes) || large.p99 <= longest;
  return {
    name: `${name}\t${caller}`,
    small: small.rate,
    large: large.rate,
    p99: large.p99,
    isReached,
  };
}

const widths = [72, 10, 7, 7, 7, 9, 5];

const print = (text: string) => process.stdout.write(`${text}\n`);

const printLine = (cells: readonly string[]) =>
  print(
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(' ')
      .trimEnd(),
  );

const printRow = ({ name, small, large, p99, isReached }: ScaleRow) =>
  printLine([
    ...name.split('\t'),
    small.toFixed(0),
    large.toFixed(0),
    (small / large).toFixed(1),
    `${p99.toFixed(0)} ms`,
    isReached ? 'ok' : 'short',
  ]);
