import { readdir, readFile } from 'node:fs/promises';

/** Memory and file descriptors of the service's processes at one time. */
export interface Sample {
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
  readonly primary: Usage;
  /** All workers together. */
  readonly workers: Usage;
}

export interface Usage {
  /** Megabytes of memory that no file backs. */
  readonly memory: number;
  readonly descriptors: number;
}

/** The pids of the workers that a primary process has now. */
export async function workersOf(pid: number): Promise<readonly number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  const commands = await Promise.all(
    children.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  );
  return children.filter((_, index) => commands[index]?.includes('server/main.ts')).map(Number);
}

export async function sampleProcesses(pid: number): Promise<Sample> {
  const workers = await Promise.all((await workersOf(pid)).map(usageOf));
  return {
    at: performance.now(),
    primary: await usageOf(pid),
    workers: {
      memory: workers.reduce((sum, { memory }) => sum + memory, 0),
      descriptors: workers.reduce((sum, { descriptors }) => sum + descriptors, 0),
    },
  };
}

async function usageOf(pid: number): Promise<Usage> {
  const sizes = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const [, kilobytes = '0'] = /^Pss_Anon:\s+(\d+) kB/m.exec(sizes) ?? [];
  const descriptors = (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;
  return { memory: (Number(kilobytes) * 1024) / 1e6, descriptors };
}
