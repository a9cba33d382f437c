import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { sleep } from './retry.ts';

export interface ProcessOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Kills the process and its children when aborted. */
  readonly signal: AbortSignal;
  /** Receives the output. */
  readonly print: (piece: Buffer) => void;
}

/** Milliseconds between SIGTERM and SIGKILL. */
const grace = 5_000;

/**
 * Runs a program without a shell, as the leader of a process group. When this resolves, the whole
 * group has ended. Returns the exit status, or null after a signal; throws if the program cannot be
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
  // background processes would keep its output and the work folder in use
  signalGroup(group, 'SIGKILL');
  const hasClosed = await Promise.race([
    closed.then(() => true),
    sleep(1_000, never).then(() => false),
  ]);
  if (!hasClosed) for (const output of [child.stdout, child.stderr]) output.destroy();
  return child.exitCode;
}

const never = new AbortController().signal;

/** Sends a signal to a process group; ignores a group that has ended. */
function signalGroup(group: number, signal: NodeJS.Signals): void {
  if (group <= 1) return;
  try {
    process.kill(-group, signal);
  } catch {
    // the group has ended
  }
}

/**
 * Kills processes that left their job's group, or that a killed runner left: those with this folder
 * in their environment.
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
        // ended with its group
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
