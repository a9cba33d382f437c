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
  const commands = await Promise.all(
    pids.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, index) => commands[index]?.replaceAll('\0', ' ').includes(text));
}

/** Waits for a child of a process whose command line contains `text`; gives its pid. */
export async function childOf(pid: number, text: string): Promise<number> {
  let found: number | undefined;
  await expect
    .poll(async () => {
      [found] = await childrenOf(pid, text);
      return found;
    })
    .toBeDefined();
  return found ?? 0;
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
