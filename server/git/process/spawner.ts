import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ReportHelper } from '../../helpers/failures.ts';
import { type Heartbeat, watchHeartbeat } from '../../helpers/heartbeat.ts';
import { type HelperLimits, helperLimits } from '../../helpers/silence-watch.ts';
import type { Niceness } from '../../scheduling/niceness.ts';
import type { Environment } from './environment.ts';
import { SpawnedChild } from './spawned-child.ts';
import type { FromSpawner, ToSpawner } from './spawner-messages.ts';
import { startSpawnerProgram } from './start-spawner.ts';

const restartDelayMs = 1000;

/** A spawner that has not confirmed a start for this time is avoided: the server starts git itself. */
const trustMs = 2000;

interface PreparedSocket {
  readonly number: number;
  readonly socket: Socket;
}

interface SpawnerWatch {
  readonly limits: HelperLimits;
  readonly report: ReportHelper;
}

let spawnerWatch: SpawnerWatch = { limits: helperLimits, report: () => {} };

/** One run of the spawner program. */
class Spawner {
  isOpen = true;
  readonly #idle: PreparedSocket[] = [];
  readonly #running = new Map<number, SpawnedChild>();
  /** Of the running ones, those whose start is not confirmed; the first waits longest. */
  readonly #unconfirmed = new Map<number, SpawnedChild>();
  readonly #program: ChildProcess;
  readonly #close: () => void;
  readonly #onAnswer: () => void;
  #heartbeat: Heartbeat;
  #lastId = 0;

  constructor(onAnswer: () => void, onLost: () => void) {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-git-'));
    const path = join(folder, 'socket');
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#prepare(socket));
    server.listen(path).unref();
    this.#program = startSpawnerProgram(path);
    this.#onAnswer = onAnswer;
    this.#heartbeat = this.#watched();
    this.#close = () => {
      if (!this.isOpen) return;
      this.isOpen = false;
      this.#heartbeat.stop();
      process.off('exit', this.#endUntrusted);
      server.close();
      for (const { socket } of this.#idle.splice(0)) socket.destroy();
      rmSync(folder, { recursive: true, force: true });
      for (const child of this.#running.values()) child.lose();
      this.#running.clear();
      this.#unconfirmed.clear();
      onLost();
    };
    const exited = (details: object) => {
      if (this.isOpen) spawnerWatch.report('spawner', 'exited', { ...details });
      this.#close();
    };
    this.#program.once('error', (error) => exited({ err: error }));
    this.#program.once('exit', (code, signal) => exited({ code, signal }));
    this.#program.stdin?.on('error', () => {});
    if (this.#program.stdout)
      createInterface({ input: this.#program.stdout }).on('line', (line) => this.#receive(line));
    process.on('exit', this.#endUntrusted);
    // the heartbeat begins later
    this.#send({ kind: 'ping' });
    this.#hold(false);
  }

  /** Null when no sockets are ready or the program does not answer: the caller starts git itself. */
  start(
    args: readonly string[],
    environment: Environment,
    hasChannel: boolean,
    niceness: Niceness | null,
  ) {
    if (!this.isOpen || !this.#isTrusted() || this.#idle.length < (hasChannel ? 3 : 2)) return null;
    const [stdin, stdout] = [this.#idle.shift(), this.#idle.shift()];
    const channel = hasChannel ? this.#idle.shift() : null;
    if (!stdin || !stdout) return null;
    this.#lastId += 1;
    const id = this.#lastId;
    for (const used of [stdin, stdout, channel]) used?.socket.ref();
    const child = new SpawnedChild({
      stdout: stdout.socket,
      isTrusted: () => this.isOpen && this.#isTrusted(),
      send: (kind) => this.#send({ kind, id }),
    });
    this.#running.set(id, child);
    this.#unconfirmed.set(id, child);
    child.ended.catch(() => {}).then(() => stdin.socket.destroy());
    stdout.socket.once('end', () => stdout.socket.destroy());
    this.#hold(true);
    const numbers = {
      stdin: stdin.number,
      stdout: stdout.number,
      channel: channel?.number ?? null,
    };
    this.#send({ kind: 'start', id, args, environment, niceness, ...numbers });
    return {
      stdin: stdin.socket,
      stdout: stdout.socket,
      channel: channel?.socket ?? null,
      ended: child.ended,
      pid: () => child.pid,
      stop: () => child.stop(),
      kill: () => child.kill(),
    };
  }

  /** Whether it has missed two heartbeats in a row. */
  isSilent() {
    return this.isOpen && this.#heartbeat.isSilent();
  }

  /** Applies changed limits. */
  watchAgain() {
    if (!this.isOpen) return;
    this.#heartbeat.stop();
    this.#heartbeat = this.#watched();
  }

  #watched(): Heartbeat {
    return watchHeartbeat({
      limits: spawnerWatch.limits,
      pid: () => this.#program.pid,
      ping: () => this.#send({ kind: 'ping' }),
      onSilent: () => {
        spawnerWatch.report('spawner', 'silent', { pid: this.#program.pid });
        // before it is killed: as long as it lives, the ids of its children are theirs
        this.#close();
        this.#program.kill('SIGKILL');
      },
    });
  }

  #isTrusted() {
    const [first] = this.#unconfirmed.values();
    return !first || performance.now() - first.askedAt < trustMs;
  }

  /** At the end of the process it would not notice that its input ends. */
  readonly #endUntrusted = () => {
    if (!this.#isTrusted() || this.isSilent()) this.#program.kill('SIGKILL');
  };

  #send(message: ToSpawner) {
    this.#program.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #receive(line: string) {
    const message = JSON.parse(line) as FromSpawner;
    this.#heartbeat.answered();
    this.#onAnswer();
    if (message.kind === 'pong') return;
    const child = this.#running.get(message.id);
    this.#unconfirmed.delete(message.id);
    if (message.kind === 'started') {
      if (child) child.pid = message.pid;
      return;
    }
    if (message.kind === 'failed') child?.fail(message.reason);
    else child?.end(message);
    this.#running.delete(message.id);
    if (this.#running.size === 0) this.#hold(false);
  }

  /** The first line names the socket; it is paused until a child uses the other end. */
  #prepare(socket: Socket) {
    socket.on('error', () => {});
    socket.once('readable', () => {
      const number = Number(socket.read());
      this.#idle.push({ number, socket: socket.unref() });
    });
  }

  /** Only running children keep the server process alive. */
  #hold(isHeld: boolean) {
    const pipes = [this.#program.stdin, this.#program.stdout] as (Socket | null)[];
    for (const held of [this.#program, ...pipes]) isHeld ? held?.ref() : held?.unref();
  }
}

let current: Spawner | null = null;
let startedAt = 0;
/** After a loss, until the next one answers. */
let isLost = false;

/** Sets the limits of the spawner's heartbeat, and where its failures are reported. */
export function watchSpawner(watch: SpawnerWatch): void {
  spawnerWatch = watch;
  current?.watchAgain();
}

/** Whether the spawner answers; true before the first one starts. */
export const isSpawnerResponsive = (): boolean => !isLost && !current?.isSilent();

function ensureSpawner(): void {
  if (current?.isOpen || Date.now() - startedAt <= restartDelayMs) return;
  startedAt = Date.now();
  const onAnswer = () => {
    isLost = false;
  };
  const onLost = () => {
    isLost = true;
    // also without a request: monitoring may keep requests away until then
    setTimeout(ensureSpawner, restartDelayMs + 1).unref();
  };
  try {
    current = new Spawner(onAnswer, onLost);
  } catch (error) {
    // no space for its folder, or too many open files
    spawnerWatch.report('spawner', 'exited', { err: error });
    onLost();
  }
}

/** Starts git through the spawner; null while that is not ready. */
export function spawnGit(
  args: readonly string[],
  environment: Environment,
  hasChannel: boolean,
  niceness: Niceness | null,
) {
  ensureSpawner();
  return current?.start(args, environment, hasChannel, niceness) ?? null;
}
