import { randomBytes } from 'node:crypto';
import { pid } from 'node:process';

/** Identifies a runner process, with a mark that distinguishes it from earlier ones with the same pid. */
export interface RunnerProcess {
  readonly pid: number;
  readonly mark: string;
}

export const thisProcess: RunnerProcess = { pid, mark: randomBytes(8).toString('hex') };

/** Whether that process still runs; possibly true if its pid was reused. */
export function isRunning({ pid: other, mark }: RunnerProcess): boolean {
  if (other === pid) return mark === thisProcess.mark;
  try {
    process.kill(other, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
