import { readFile, readlink } from 'node:fs/promises';
import { systemFailure } from '../../../schema/kernel/outage.ts';

/** Identifies this process for other processes on this machine. */
export async function thisProcessIdentity(): Promise<string> {
  return `${await machine()} ${process.pid} ${await startTimeOf(process.pid)}`;
}

/** State of another process; those of other machines are not visible. */
type ProcessState = 'exited' | 'alive' | 'unseen';

/** Whether the identified process still runs. */
export async function processState(identity: string): Promise<ProcessState> {
  const [place, pid, start] = identity.split(' ');
  if (!/^\d+$/.test(pid ?? '') || place === 'unknown' || place !== (await machine())) {
    return 'unseen';
  }
  return (await startTimeOf(Number(pid))) === start ? 'alive' : 'exited';
}

/** Identifies this boot and process id namespace; 'unknown' when the system does not provide them. */
const machine = async (): Promise<string> => {
  const boot = await orHidden(readFile('/proc/sys/kernel/random/boot_id', 'utf8'));
  const space = await orHidden(readlink('/proc/self/ns/pid'));
  return boot && space ? `${boot.trim()}/${space}` : 'unknown';
};

/**
 * A file of the system that lists processes; empty if the process has exited or is hidden. A lack of resources says
 * nothing about the process, which may hold a lock.
 */
export const orHidden = (file: Promise<string>): Promise<string> =>
  file.catch((error: unknown) => {
    if (systemFailure(error) === 'exhausted') throw error;
    return '';
  });

/** The start time of a process, because process ids are reused. */
const startTimeOf = async (pid: number): Promise<string> => {
  const stat = await orHidden(readFile(`/proc/${pid}/stat`, 'utf8'));
  // the command name, in parentheses, may contain spaces
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // exited, but not yet reaped by its parent
  const isDead = fields[0] === 'Z' || fields[0] === 'X';
  return isDead ? 'none' : (fields[19] ?? 'none');
};
