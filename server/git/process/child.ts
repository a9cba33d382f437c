import { spawn } from 'node:child_process';
import type { Duplex, Readable, Writable } from 'node:stream';
import { GitUnavailable } from '../../../schema/kernel/outage.ts';
import { activeTracer } from '../../../schema/kernel/tracing.ts';
import type { Span } from '../../../schema/ports/tracing.ts';
import { currentNiceness, type Niceness } from '../../scheduling/niceness.ts';
import { type Environment, gitEnvironment } from './environment.ts';
import { giveWay } from './niceness.ts';
import { killAfterMs } from './spawned-child.ts';
import { spawnGit } from './spawner.ts';
import { killIfStopped } from './stopped-children.ts';

const maxStderrCharacters = 8192;

let live = 0;

/** The number of running git processes, for metrics. */
export const liveGitChildren = () => live;

export interface GitChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The child's file descriptor 3, inherited by its hooks, if requested. */
  readonly channel: Duplex | null;
  /** The exit status, null after a signal; rejects with `GitUnavailable` when git could not be started. */
  readonly exit: Promise<number | null>;
  /** Undefined until git has started. */
  pid(): number | undefined;
  /** After the exit: the error output, truncated. */
  stderr(): string;
  /** Sends SIGTERM, so that git removes its temporary files, and SIGKILL if it does not exit. */
  stop(): void;
  /** Sends SIGKILL, to a child that does not answer. */
  kill(): void;
}

export interface GitChildOptions {
  readonly environment?: Environment | undefined;
  readonly hasChannel?: boolean;
  readonly signal?: AbortSignal | null | undefined;
  /** Serves several requests, so it belongs to the trace of none. */
  readonly isShared?: boolean;
  /** Gives way to other processes, as all heavy work in a turn does. */
  readonly isHeavy?: boolean;
}

/** The git command in an argument list, for messages. */
export const commandOf = (args: readonly string[]) =>
  args.find((arg) => !arg.startsWith('-')) ?? '';

/** Starts git; the caller has validated the arguments. */
export function startGit(args: readonly string[], options: GitChildOptions = {}): GitChild {
  const environment = options.environment ?? gitEnvironment;
  const hasChannel = options.hasChannel ?? false;
  const niceness = options.isShared ? null : currentNiceness(options.isHeavy ?? false);
  const child =
    startBeside(args, environment, hasChannel, niceness) ??
    startHere(args, environment, hasChannel, niceness);
  live += 1;
  const span = options.isShared
    ? null
    : activeTracer()?.start({ name: `git ${commandOf(args)}`, kind: 'client' });
  // a child that exits before it has read its input is judged by its exit status
  child.stdin.on('error', () => {});
  // of a child that did not start, which its `exit` tells
  child.stdout.on('error', () => {});
  // a shared one is watched by the responses that it owes
  const endWatch = options.isShared ? () => {} : killIfStopped(child, commandOf(args));
  const exit = child.exit.finally(() => {
    live -= 1;
    endWatch();
    options.signal?.removeEventListener('abort', child.stop);
  });
  if (span) endWith(span, exit);
  // avoid an unhandled rejection when the caller reads only the output
  exit.catch((error: Error) => child.stdout.destroy(error));
  if (options.signal?.aborted) child.stop();
  else options.signal?.addEventListener('abort', child.stop, { once: true });
  return { ...child, exit };
}

/** Many commands answer by their exit status, so only a git that did not start has failed. */
function endWith(span: Span, exit: Promise<number | null>): void {
  exit.then(
    (code) => {
      if (code !== null) span.add({ 'process.exit.code': code });
      span.end();
    },
    (error: unknown) => span.end(error),
  );
}

function startBeside(
  args: readonly string[],
  environment: Environment,
  hasChannel: boolean,
  niceness: Niceness | null,
): GitChild | null {
  const child = spawnGit(args, environment, hasChannel, niceness);
  if (!child) return null;
  let complaint = '';
  const exit = child.ended.then((end) => {
    complaint = end.stderr;
    return end.code;
  });
  return { ...child, exit, stderr: () => printable(complaint) };
}

function startHere(
  args: readonly string[],
  environment: Environment,
  hasChannel: boolean,
  niceness: Niceness | null,
): GitChild {
  const child = spawn('git', args, {
    env: environment,
    stdio: hasChannel ? ['pipe', 'pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe'],
  });
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.on('error', (error) => reject(new GitUnavailable(error.message)));
  });
  started.catch(() => {});
  // there are no streams when the descriptors of this process are used up
  if (!child.stdio) throw new GitUnavailable('too many open files');
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
  if (niceness) child.once('exit', giveWay(child.pid, niceness));
  let killing: NodeJS.Timeout | undefined;
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const exit = started.then(() => exited).finally(() => clearTimeout(killing));
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
    pid: () => child.pid,
    stderr: () => printable(complaint),
    stop,
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Removes control characters: git ends some messages with NUL, which PostgreSQL cannot store. */
const printable = (complaint: string) => complaint.replace(/[^\P{Cc}\n\t]/gu, '').trim();
