import { readFile } from 'node:fs/promises';

/** What the kernel says about the main thread of a process. */
export interface ProcessLoad {
  /** `R` runs or waits for a processor, `D` waits for a disk, `S` for anything else, `T` is stopped. */
  readonly state: string;
  /** Processor time since its start, in milliseconds. */
  readonly cpuMs: number;
}

/** The kernel counts processor time in hundredths of a second. */
const msPerTick = 10;

/** The load of a process; null when it has exited, or the system has no such information. */
export async function processLoad(pid: number | undefined): Promise<ProcessLoad | null> {
  if (pid === undefined) return null;
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // the command name, in parentheses, may contain spaces
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
  return { state: fields[0] ?? '', cpuMs: (userTicks + systemTicks) * msPerTick };
}
