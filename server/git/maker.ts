import { readFile, readlink } from 'node:fs/promises';

/** Who makes a repository now, in words that another process on this machine can check. */
export async function thisMaker(): Promise<string> {
  return `${await machine()} ${process.pid} ${await startOf(process.pid)}`;
}

/** True only when that process is known to be gone: another machine's processes cannot be seen. */
export async function isGone(maker: string): Promise<boolean> {
  const [place, pid, start] = maker.split(' ');
  if (!/^\d+$/.test(pid ?? '') || place === 'unknown' || place !== (await machine())) return false;
  return (await startOf(Number(pid))) !== start;
}

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
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'none';
};
