import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // the process has exited
    return '';
  }
};

const kibibytes = (text: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);

const megabytes = (kib: number) => (kib * 1024) / 1e6;

/** All descendants of the process `pid`. */
function below(pid: number): readonly number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(
    all.map((id) => [id, Number(/^PPid:\s+(\d+)/m.exec(read(id, 'status'))?.[1])]),
  );
  const descendants: number[] = [];
  for (const id of all) {
    for (let parent = parents.get(id); parent; parent = parents.get(parent)) {
      if (parent === pid) {
        descendants.push(id);
        break;
      }
    }
  }
  return descendants;
}

/**
 * Megabytes: the server process by resident set size, its children by proportional set size.
 * `proportional` and `anonymous` are the server process by proportional set size, with and without the
 * files that it shares with other processes: node's own program is 60 MB, divided by its processes.
 */
export function memoryOf(pid: number) {
  const children = below(pid).map((id) => ({
    isPostgres: /^postgres|\/postgres\0/.test(read(id, 'cmdline')),
    share: kibibytes(read(id, 'smaps_rollup'), 'Pss'),
  }));
  const sum = (isPostgres: boolean) =>
    children
      .filter((child) => child.isPostgres === isPostgres)
      .reduce((total, { share }) => total + megabytes(share), 0);
  const status = read(pid, 'status');
  const sizes = read(pid, 'smaps_rollup');
  return {
    proportional: megabytes(kibibytes(sizes, 'Pss')),
    anonymous: megabytes(kibibytes(sizes, 'Pss_Anon')),
    server: megabytes(kibibytes(status, 'VmRSS')),
    peak: megabytes(kibibytes(status, 'VmHWM')),
    children: sum(false),
    postgres: sum(true),
  };
}

const largestServer = 250;

/** Prints the memory; returns whether the server is within its limits. */
export function printMemory(pid: number, when: string): boolean {
  const { server, peak, children, postgres } = memoryOf(pid);
  const isSmall = server < largestServer;
  process.stdout.write(
    `memory ${when}: server's node process ${server.toFixed(0)} MB (peak ${peak.toFixed(0)}), ` +
      `goal < ${largestServer} MB ${isSmall ? 'ok' : 'short'}; ` +
      `its other children ${children.toFixed(0)} MB, PostgreSQL ${postgres.toFixed(0)} MB\n`,
  );
  return isSmall;
}

const ticks = (pid: number): number => {
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
};

/** Starts a clock; the result gives the CPU seconds of a process and its descendants since then. */
export function processorClock(pid: number): () => number {
  const read = () => new Map([pid, ...below(pid)].map((id) => [id, ticks(id)]));
  const before = read();
  return () => {
    const differences = [...read()].map(([id, now]) => Math.max(now - (before.get(id) ?? 0), 0));
    return differences.reduce((sum, difference) => sum + difference, 0) / ticksPerSecond;
  };
}

/** USER_HZ, constant on Linux. */
const ticksPerSecond = 100;

/** Waits until `pids` and their descendants are idle, so that no run affects the next. */
export async function untilIdle(pids: readonly number[]): Promise<void> {
  if (pids.length === 0) return;
  const used = () =>
    pids.flatMap((pid) => [pid, ...below(pid)]).reduce((sum, pid) => sum + ticks(pid), 0);
  for (let before = -10, tries = 0; tries < 50; tries += 1) {
    const now = used();
    if (Math.abs(now - before) <= 2) return;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
