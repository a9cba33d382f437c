import { randomUUID } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Milliseconds; marks, locks, heartbeats, tokens and jobs compare times of different clocks. */
export const maxClockDifference = 5_000;

export const clockAdvice = 'Set the clocks by NTP.';

/** `2 h 5 min`, of milliseconds. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1_000);
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = units.filter(([count]) => count > 0).slice(0, 2);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ') || '0 s';
}

/** Says that the clock of this machine, which says `here`, and another one differ; null if they agree. */
export function clockDifferenceText(other: string, there: number, here: number): string | null {
  const difference = here - there;
  if (Math.abs(difference) <= maxClockDifference) return null;
  const direction = difference > 0 ? 'ahead of' : 'behind';
  const [now, then] = [here, there].map((time) => new Date(time).toISOString());
  return `The clock of this machine is ${durationText(difference)} ${direction} that of ${other} (${now}, not ${then})`;
}

/** The time between two looks at the clock of this machine that is nearest to a time of another clock. */
export const nearest = (there: number, before: number, after: number): number =>
  Math.min(Math.max(there, before), Math.max(before, after));

/** The time that a new file gets, and the time of this machine nearest to it while it was written. */
async function timesIn(folder: string) {
  const path = join(folder, `+clock-${randomUUID()}`);
  const before = Date.now();
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
    const after = Date.now();
    const { mtimeMs: there } = await stat(path);
    // a slow file system has no other time
    return { there, here: nearest(there, before, after) };
  } finally {
    await rm(path, { force: true });
  }
}

/** How the clock of the file system of a folder, which may be another machine's, differs from this machine's; null if it agrees. */
export async function clockFault(folder: string): Promise<string | null> {
  const look = async () => {
    const { there, here } = await timesIn(folder);
    return clockDifferenceText(`the file system of ${folder}`, there, here);
  };
  // once more: the clock may have been set between both times
  return (await look()) && (await look());
}
