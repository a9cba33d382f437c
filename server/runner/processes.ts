import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { sleep } from './retry.ts';

export interface ProcessOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Ends the process, and all that it started, when aborted. */
  readonly signal: AbortSignal;
  /** What it prints, as it comes. */
  readonly print: (piece: Buffer) => void;
}

/** How long a process may take to end in order, milliseconds. */
const grace = 5_000;

/**
 * Runs a program, without a shell, as the leader of a group of processes, all of which are gone when
 * this resolves: with its exit status, or null where a signal ended it. Throws where it cannot be
 * started.
 */
export async function runProcess(
  program: string,
  args: readonly string[],
  { folder, environment, signal, print }: ProcessOptions,
): Promise<number | null> {
  signal.throwIfAborted();
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const output of [child.stdout, child.stderr]) output.on('data', print).on('error', () => {});
  const closed = once(child, 'close');
  closed.catch(() => {});
  await once(child, 'spawn');
  const group = child.pid ?? 0;
  const exited = new AbortController();
  child.once('exit', () => exited.abort());
  const stop = async () => {
    signalGroup(group, 'SIGTERM');
    await sleep(grace, exited.signal);
    signalGroup(group, 'SIGKILL');
  };
  const onAbort = () => void stop();
  signal.addEventListener('abort', onAbort, { once: true });
  if (!exited.signal.aborted) await once(exited.signal, 'abort');
  signal.removeEventListener('abort', onAbort);
  // what it left behind in the background would hold its output, and the work folder
  signalGroup(group, 'SIGKILL');
  const hasClosed = await Promise.race([
    closed.then(() => true),
    sleep(1_000, never).then(() => false),
  ]);
  if (!hasClosed) for (const output of [child.stdout, child.stderr]) output.destroy();
  return child.exitCode;
}

const never = new AbortController().signal;

/** Sends a signal to every process of a group; one that is gone needs none. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  if (group <= 1) return;
  try {
    process.kill(-group, signal);
  } catch {
    // nobody is left
  }
}

/**
 * Ends the processes of a job that left their group, or that a killed runner left: those whose
 * environment names this folder as the job's.
 */
export async function endWorkersIn(source: string): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const workers = await workersIn(source);
    if (workers.length === 0) return;
    for (const worker of workers) {
      signalGroup(worker, 'SIGKILL');
      try {
        process.kill(worker, 'SIGKILL');
      } catch {
        // gone with its group
      }
    }
    await sleep(50, never);
  }
}

async function workersIn(source: string): Promise<readonly number[]> {
  const named = await readdir('/proc').catch(() => []);
  const workers = named
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
      return environment.split('\0').includes(`CI_PROJECT_DIR=${source}`) ? [Number(name)] : [];
    });
  return (await Promise.all(workers)).flat();
}
