import { readFile, readlink } from 'node:fs/promises';

/** Who makes a repository now, in words that another process on this machine can check. */
export async function thisMaker(): Promise<string> {
  return `${await machine()} ${process.pid} ${await startOf(process.pid)}`;
}

/** What can be told of a maker; another machine's processes cannot be seen. */
export type MakerState = 'gone' | 'alive' | 'unseen';

/** Whether the process that `maker` names still runs. */
export async function stateOf(maker: string): Promise<MakerState> {
  const [place, pid, start] = maker.split(' ');
  if (!/^\d+$/.test(pid ?? '') || place === 'unknown' || place !== (await machine())) {
    return 'unseen';
  }
  return (await startOf(Number(pid))) === start ? 'alive' : 'gone';
}

/** True only when that process is known to be gone. */
export const isGone = async (maker: string): Promise<boolean> => (await stateOf(maker)) === 'gone';

/** This boot and this space of process ids; 'unknown' where the system does not tell. */
const machine = async (): Promise<string> => {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null);
  const space = await readlink('/proc/self/ns/pid').catch(() => null);
  return boot && space ? `${boot.trim()}/${space}` : 'unknown';
};

/** When a process started: process ids are used again, this number with them is not. */
const startOf = async (pid: number): Promise<string> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // the command's name, in parentheses, may itself have spaces
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // killed, and only waiting for its parent to look
  const isDead = fields[0] === 'Z' || fields[0] === 'X';
  return isDead ? 'none' : (fields[19] ?? 'none');
};
