import { spawn } from 'node:child_process';
import type { Duplex, Readable, Writable } from 'node:stream';
import { type Environment, gitEnvironment } from './environment.ts';
import { spawnGit } from './spawner.ts';

const maxStderrCharacters = 8192;
const killAfterMs = 5000;

let live = 0;

/** Git processes running now, for metrics. */
export const liveGitChildren = () => live;

export interface GitChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The child's descriptor 3, inherited by its hooks, when it was asked for. */
  readonly channel: Duplex | null;
  /** The exit status, null after a signal; rejects only when git could not be started. */
  readonly exit: Promise<number | null>;
  /** After the exit: what it complained of, cut off after some lines. */
  stderr(): string;
  /** Ends it with SIGTERM, so that git removes its temporary files, and with SIGKILL if it stays. */
  stop(): void;
}

export interface GitChildOptions {
  readonly environment?: Environment;
  readonly hasChannel?: boolean;
  readonly signal?: AbortSignal;
}

/** Starts git with an argument list; the caller has checked each of them. */
export function startGit(args: readonly string[], options: GitChildOptions = {}): GitChild {
  const environment = options.environment ?? gitEnvironment;
  const hasChannel = options.hasChannel ?? false;
  const child =
    startBeside(args, environment, hasChannel) ?? startHere(args, environment, hasChannel);
  live += 1;
  // a child that ends before it has read everything is judged by its exit status
  child.stdin.on('error', () => {});
  const exit = child.exit.finally(() => {
    live -= 1;
    options.signal?.removeEventListener('abort', child.stop);
  });
  // whoever waits for the output alone must not leave an unhandled rejection
  exit.catch((error: Error) => child.stdout.destroy(error));
  if (options.signal?.aborted) child.stop();
  else options.signal?.addEventListener('abort', child.stop, { once: true });
  return { ...child, exit };
}

function startBeside(
  args: readonly string[],
  environment: Environment,
  hasChannel: boolean,
): GitChild | null {
  const child = spawnGit(args, environment, hasChannel);
  if (!child) return null;
  let complaint = '';
  const exit = child.ended.then((end) => {
    complaint = end.complaint;
    return end.code;
  });
  return { ...child, exit, stderr: () => printable(complaint) };
}

function startHere(
  args: readonly string[],
  environment: Environment,
  hasChannel: boolean,
): GitChild {
  const child = spawn('git', args, {
    env: environment,
    stdio: hasChannel ? ['pipe', 'pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe'],
  });
  const [stdin, stdout, stderr, channel] = child.stdio as unknown as [
    Writable,
    Readable,
    Readable,
    Duplex?,
  ];
  let complaint = '';
  stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < maxStderrCharacters) complaint += chunk.toString();
  });
  let killing: NodeJS.Timeout | undefined;
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', (error) => (child.pid === undefined ? reject(error) : undefined));
  }).finally(() => clearTimeout(killing));
  const stop = () => {
    if (killing || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  };
  return {
    stdin,
    stdout,
    channel: channel ?? null,
    exit,
    stderr: () => printable(complaint),
    stop,
  };
}

/** Git ends some of its sentences with NUL, which no database keeps. */
const printable = (complaint: string) => complaint.replace(/[^\P{Cc}\n\t]/gu, '').trim();
