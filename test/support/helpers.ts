import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'vitest';

/** The pids of the children of a process whose command line contains `text`. */
export async function childrenOf(pid: number, text: string): Promise<readonly number[]> {
  // a child belongs to the thread that has started it
  const tasks = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  );
  const pids = lists.join(' ').split(' ').filter(Boolean).map(Number);
  const commands = await Promise.all(pids.map(commandOf));
  return pids.filter((_, index) => commands[index]?.includes(text));
}

/** Waits for a child of a process whose command line contains `text`; gives its pid. */
export const childOf = (pid: number, text: string): Promise<number> =>
  pidOf(() => childrenOf(pid, text));

/** Waits for a process, whichever has started it, whose command line contains all `texts`; gives its pid. */
export const processWith = (...texts: readonly string[]): Promise<number> =>
  pidOf(async () => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const commands = await Promise.all(pids.map(commandOf));
    const isWanted = (index: number) => texts.every((text) => commands[index]?.includes(text));
    return pids.filter((_, index) => isWanted(index));
  });

async function pidOf(find: () => Promise<readonly number[]>): Promise<number> {
  let pid = 0;
  await expect
    .poll(async () => {
      [pid = 0] = await find();
      return pid;
    })
    .toBeGreaterThan(0);
  return pid;
}

const commandOf = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');

/** Sends a signal to one process. Number 0 would stand for all processes of the test. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  if (pid <= 1) throw new Error('There is no such process');
  process.kill(pid, name);
}

/** Whether a process exists that is not only waiting to be reaped. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}

/** The value of `millrace_helper_failures_total`, summed over all processes of a server. */
export async function helperFailuresAt(url: string, helper: string, reason: string) {
  const text = await (await fetch(`${url}/-/metrics`)).text();
  const series = new RegExp(
    `^millrace_helper_failures_total\\{helper="${helper}",reason="${reason}".*\\} (\\d+)$`,
    'gm',
  );
  return [...text.matchAll(series)].reduce((sum, [, value]) => sum + Number(value), 0);
}
