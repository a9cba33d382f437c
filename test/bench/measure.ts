import { type Comparison, compare } from './compare.ts';
import { type Amount, type BenchRequest, load, requestsFor } from './load.ts';
import { untilIdle } from './memory.ts';
import type { Goal, Row } from './table.ts';

export interface Pace {
  /** Interleaved runs of each side. */
  readonly runs: number;
  /** Seconds of load in each. */
  readonly seconds: number;
  /** Seconds of load before the first. */
  readonly warmUp: number;
  /** Whether `seconds` is converted to a number of requests, for responses that may be slow. */
  readonly isCounted?: boolean;
  /** Processes that must be idle before a run. */
  readonly pids: readonly number[];
}

/** The same requests to both servers. */
export interface RequestCase {
  readonly name: string;
  readonly urls: readonly [ours: string, twin: string];
  readonly requests: readonly BenchRequest[];
  /** The twin's requests, if it has other paths. */
  readonly twinRequests?: readonly BenchRequest[];
  readonly goal: Goal;
  readonly connections?: number;
  /** 'none': the twin's responses have another format. */
  readonly comparison?: Comparison | 'none';
}

/** The same work done against both servers; `run` counts from 0. */
export interface WorkCase {
  readonly name: string;
  readonly goal: Goal;
  readonly unit: 's' | 'ms';
  /** How often a run does the work, with a pause between; the run's time is the mean. */
  readonly parts?: number;
  readonly ours: (run: number, part: number) => Promise<void>;
  readonly twin: (run: number, part: number) => Promise<void>;
  /** Checks and deletes the result, outside of the measured time; throws if it is wrong. */
  readonly after: (run: number, side: 'ours' | 'twin') => Promise<void>;
}

/** Compares the responses, then loads both in turn; every second round starts with the twin. */
export async function measureRequests(requestCase: RequestCase, pace: Pace): Promise<Row> {
  const { name, urls, requests, twinRequests = requests, goal, comparison } = requestCase;
  if (comparison !== 'none') await compare(urls, requests, comparison);
  const sides: Measuring[] = [];
  for (const [index, url] of urls.entries()) {
    const sideRequests = index === 0 ? requests : twinRequests;
    const amountOf = (seconds: number) =>
      amountFor({ ...requestCase, requests: sideRequests }, url, seconds, pace);
    await load(url, sideRequests, await amountOf(pace.warmUp));
    sides.push({
      url,
      requests: sideRequests,
      amount: await amountOf(pace.seconds),
      values: [],
      p99: [],
    });
  }
  for (let run = 0; run < pace.runs; run += 1) {
    await untilIdle(pace.pids);
    for (const side of run % 2 === 0 ? sides : sides.toReversed()) {
      const { rate, p99 } = await load(side.url, side.requests, side.amount);
      side.values.push(rate);
      side.p99.push(p99);
    }
  }
  const [ours, twin] = sides as [Measuring, Measuring];
  return { name, unit: 'req/s', ours, twin, goal };
}

interface Measuring {
  readonly url: string;
  readonly requests: readonly BenchRequest[];
  readonly amount: Amount;
  readonly values: number[];
  readonly p99: number[];
}

const defaultConnections = 12;

async function amountFor(
  { requests, connections = defaultConnections }: RequestCase,
  url: string,
  seconds: number,
  { isCounted }: Pace,
): Promise<Amount> {
  if (!isCounted) return { connections, seconds };
  return {
    connections,
    requests: await requestsFor(url, requests, { seconds, connections }),
  };
}

/** Times the work on both sides in turn; every second round starts with the twin. */
export async function measureWork(workCase: WorkCase, pace: Pace): Promise<Row> {
  const { name, unit, goal, parts = 1, after } = workCase;
  const sides = { ours: [] as number[], twin: [] as number[] };
  for (let run = 0; run < pace.runs; run += 1) {
    for (const side of run % 2 === 0 ? (['ours', 'twin'] as const) : (['twin', 'ours'] as const)) {
      let milliseconds = 0;
      for (let part = 0; part < parts; part += 1) {
        await untilIdle(pace.pids);
        const start = performance.now();
        await workCase[side](run, part);
        milliseconds += (performance.now() - start) / parts;
      }
      sides[side].push(unit === 's' ? milliseconds / 1000 : milliseconds);
      await after(run, side);
    }
  }
  const [ours, twin] = [sides.ours, sides.twin].map((values) => ({ values, p99: [] }));
  return { name, unit, ours: ours ?? none, twin: twin ?? none, goal };
}

const none = { values: [], p99: [] };
