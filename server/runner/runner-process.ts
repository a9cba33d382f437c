import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pid } from 'node:process';

/** Identifies a runner process, also among earlier and later ones with the same pid. */
export interface RunnerProcess {
  readonly pid: number;
  readonly mark: string;
  /** In ticks since the machine started; missing where the system does not say, and in older files. */
  readonly startedAt?: string;
}

/** When a process started; null if it has ended, and where the system does not say. */
function startOf(id: number | 'self'): string | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // the command name, in parentheses, may contain spaces
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // it has ended, but its parent has not noticed yet
    return /^[ZX]/.test(state) ? null : (fields[18] ?? null);
  } catch {
    return null;
  }
}

const startedAt = startOf('self');

export const thisProcess: RunnerProcess = {
  pid,
  mark: randomBytes(8).toString('hex'),
  ...(startedAt !== null && { startedAt }),
};

/** Whether that process still runs; possibly true for a reused pid if its start is not known. */
export function isRunning({ pid: other, mark, startedAt: start }: RunnerProcess): boolean {
  if (other === pid) return mark === thisProcess.mark;
  if (start !== undefined) return startOf(other) === start;
  try {
    process.kill(other, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
