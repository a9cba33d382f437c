import { randomBytes } from 'node:crypto';
import { pid } from 'node:process';

/** Which running program wrote something down: its process, and what tells it from one before it. */
export interface RunnerProcess {
  readonly pid: number;
  readonly mark: string;
}

export const thisProcess: RunnerProcess = { pid, mark: randomBytes(8).toString('hex') };

/** Whether that program runs, as far as can be told: its number may be another's by now. */
export function isRunning({ pid: other, mark }: RunnerProcess): boolean {
  if (other === pid) return mark === thisProcess.mark;
  try {
    process.kill(other, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
