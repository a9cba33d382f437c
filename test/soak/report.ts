import process from 'node:process';
import { median } from '../bench/table.ts';
import type { Outcomes } from './outcomes.ts';
import type { Sample, Usage } from './samples.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);

/** Prints the rate, the times and the outcomes of each kind of operation. */
export function printOutcomes({ kinds }: Outcomes, duration: number): void {
  for (const [kind, { outcomes, times }] of [...kinds].toSorted()) {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    const counts = [...outcomes].toSorted().map(([outcome, count]) => `${outcome} × ${count}`);
    const rate = ((times.length * 1000) / duration).toFixed(1);
    print(
      `${kind.padEnd(14)} ${rate.padStart(6)}/s  median ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
        `longest ${at(1)} ms  ${counts.join(', ')}`,
    );
  }
}

/** The first ten minutes, or the first third of a shorter run, warm up. */
const warmUp = (duration: number) => Math.min(600_000, duration / 3);

/** The last samples are compared with as many after the warm-up. */
const parts = 4;

const mostMemoryGrowth = 1.05;
/** A connection or a few more may be open at any time. */
const mostDescriptorGrowth = 16;

/**
 * Prints memory and descriptors of the primary process and of all workers together; returns what has grown. A worker
 * lives two minutes on average, so that their sum is compared by medians of a quarter of the time after the warm-up.
 */
export function printProcesses(samples: readonly Sample[], duration: number): readonly string[] {
  const begin = samples[0]?.at ?? 0;
  const warm = samples.filter(({ at }) => at - begin >= warmUp(duration));
  const size = Math.max(1, Math.floor(warm.length / parts));
  const growths: string[] = [];
  for (const who of ['primary', 'workers'] as const) {
    const quarters = Array.from({ length: parts }, (_, index) =>
      warm.slice(index * size, (index + 1) * size).map((sample) => sample[who]),
    );
    const series = (field: keyof Usage) =>
      quarters.map((quarter) => median(quarter.map((usage) => usage[field])));
    const [memory, descriptors] = [series('memory'), series('descriptors')];
    print(
      `${who}: ${memory.map((value) => value.toFixed(0)).join(', ')} MB; ` +
        `${descriptors.join(', ')} descriptors (medians of the quarters after the warm-up)`,
    );
    const [first = 0, last = 0] = [memory[0], memory.at(-1)];
    if (last > first * mostMemoryGrowth) growths.push(`memory of ${who} grew`);
    const [open = 0, openLast = 0] = [descriptors[0], descriptors.at(-1)];
    if (openLast > open + mostDescriptorGrowth) growths.push(`descriptors of ${who} grew`);
  }
  return growths;
}
