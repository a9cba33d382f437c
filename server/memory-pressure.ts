import { totalmem } from 'node:os';
import process from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Gauge, type Registry } from 'prom-client';
import { systemFailure } from '../schema/kernel/outage.ts';
import type { Logger } from './log.ts';

/** Milliseconds for which a measurement is reused; measuring takes some microseconds. */
const holdsFor = 100;

/** Milliseconds between two forced garbage collections; each may take some hundred. */
const collectsEvery = 5_000;

/**
 * Shares of the limit. Pressure begins above `high` and ends below `low`; the gap keeps it from
 * flapping.
 */
export const memoryMarks: MemoryMarks = {
  /** Of the heap limit (`--max-old-space-size`). */
  heap: { high: 0.85, low: 0.75 },
  /** Buffers outside the heap, which have no limit of their own: of the heap limit as well. */
  buffers: { high: 1, low: 0.75 },
  /** The whole process: of the memory of the machine or the container. */
  resident: { high: 0.9, low: 0.8 },
};

type Source = 'heap' | 'buffers' | 'resident';

/** For each kind of memory the shares at which pressure begins and ends. */
export type MemoryMarks = Readonly<Record<Source, { readonly high: number; readonly low: number }>>;

function measure(): Readonly<Record<Source, number>> {
  const { used_heap_size, heap_size_limit, external_memory } = getHeapStatistics();
  const total = totalmem();
  // 0 without a constraint
  const available = Math.min(process.constrainedMemory() || total, total);
  return {
    heap: used_heap_size / heap_size_limit,
    buffers: external_memory / heap_size_limit,
    resident: residentBytes() / available,
  };
}

let lastResident = 0;

/** As of the last measurement, if the system has no free file descriptor for another one. */
function residentBytes(): number {
  try {
    lastResident = process.memoryUsage.rss();
  } catch (error) {
    if (systemFailure(error) !== 'exhausted') throw error;
  }
  return lastResident;
}

/** V8 exposes its collector to contexts created while this flag is set. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return () => {
    collect();
    // the second run releases the buffers that the first found unused
    collect();
  };
}

/**
 * Measures the memory of this process on demand, and logs changes of the pressure. `isHigh`: so
 * little memory is left that costly requests must be refused.
 */
export function watchMemory(
  registry: Registry,
  log: Logger,
  marks: MemoryMarks = memoryMarks,
): { isHigh(): boolean } {
  const collectGarbage = garbageCollector();
  let isPressed = false;
  let collectedAt = Number.NEGATIVE_INFINITY;
  let measuredAt = Number.NEGATIVE_INFINITY;
  const isHigh = () => {
    const now = performance.now();
    if (now - measuredAt < holdsFor) return isPressed;
    measuredAt = now;
    const shares = measure();
    const sources = Object.keys(shares) as Source[];
    const was = isPressed;
    isPressed = sources.some((source) => shares[source] >= marks[source][was ? 'low' : 'high']);
    if (isPressed !== was) {
      log.warn(
        shares,
        isPressed ? 'memory is short: costly requests are refused' : 'memory is back',
      );
    }
    // without costly requests little is allocated, and V8 would not collect garbage by itself
    if (isPressed && now - collectedAt > collectsEvery) {
      collectedAt = now;
      collectGarbage();
      measuredAt = Number.NEGATIVE_INFINITY;
    }
    return isPressed;
  };
  new Gauge({
    name: 'millrace_memory_pressure',
    aggregator: 'max',
    help: 'Whether costly requests are refused because memory is short',
    registers: [registry],
    collect() {
      this.set(isHigh() ? 1 : 0);
    },
  });
  return { isHigh };
}
