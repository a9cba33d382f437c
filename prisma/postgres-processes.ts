import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { kill, platform } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * The process title of all processes of a data folder. It is derived from the folder's identity on
 * disk, so it survives a rename and differs for a copy.
 */
export async function clusterName(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `millrace-${dev.toString(36)}-${ino.toString(36)}`;
}

interface Process {
  readonly pid: number;
  /** The postmaster, the parent of the others. */
  readonly isMain: boolean;
}

/** Signals, most gentle first, with the milliseconds to wait after each. */
const steps = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;

/**
 * Kills the processes that a killed Millrace left on a data folder. Matches them by their title,
 * because a pid in a file may have been reused. Returns whether there were any.
 */
export async function stopOrphans(name: string): Promise<boolean> {
  let left = await processesOf(name);
  if (left.length === 0) return false;
  for (const [signal, patience] of steps) {
    // the postmaster stops its own children; without one, signal them directly
    const isLed = left.some(({ isMain }) => isMain);
    const targets = signal === 'SIGINT' ? left.filter(({ isMain }) => isMain) : left;
    for (const { pid } of targets) send(pid, signal);
    if (signal === 'SIGINT' && !isLed) continue;
    for (const end = Date.now() + patience; Date.now() < end; await delay(10)) {
      left = await processesOf(name);
      if (left.length === 0) return true;
    }
  }
  const pids = left.map(({ pid }) => pid).join(', ');
  throw new Error(`An earlier PostgreSQL on this data folder cannot be stopped: end pid ${pids}.`);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function processesOf(name: string): Promise<readonly Process[]> {
  const all = platform === 'linux' ? await commandsOfProc() : await commandsOfPs();
  return all.flatMap(([pid, command]) => {
    const isMain = /^\S*\/postgres /.test(command) && command.includes(` cluster_name=${name} `);
    return isMain || command.startsWith(`postgres: ${name}: `) ? [{ pid, isMain }] : [];
  });
}

type Command = readonly [pid: number, command: string];

async function commandsOfProc(): Promise<readonly Command[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  return Promise.all(
    pids.map(async (pid): Promise<Command> => {
      // a process may exit while it is being read
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return [Number(pid), command.replaceAll('\0', ' ')];
    }),
  );
}

async function commandsOfPs(): Promise<readonly Command[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\n').map((line): Command => {
    const [, pid, command] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return [Number(pid), `${command} `];
  });
}
