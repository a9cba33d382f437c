import { constants, getPriority, setPriority } from 'node:os';
import type { Niceness } from '../../scheduling/niceness.ts';

const laterMs = 1_000;
const lowest = constants.priority.PRIORITY_LOW;

/** Lets a process give way to others, which needs no rights. Returns what stops watching it when it has exited. */
export function giveWay(pid: number | undefined, { first, later }: Niceness): () => void {
  if (pid === undefined) return () => {};
  if (first > 0) setNiceness(pid, first);
  const timer = setTimeout(() => setNiceness(pid, later), laterMs);
  timer.unref();
  return () => clearTimeout(timer);
}

function setNiceness(pid: number, niceness: number): void {
  try {
    setPriority(pid, Math.min(lowest, getPriority() + niceness));
  } catch {
    // it has exited
  }
}
