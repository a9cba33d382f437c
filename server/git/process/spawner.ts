import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Niceness } from '../../scheduling/niceness.ts';
import type { Environment } from './environment.ts';
import type { FromSpawner, ToSpawner } from './spawner-messages.ts';

const spawnerProgram = fileURLToPath(new URL('spawner-program.ts', import.meta.url));
const poolSize = 48;
/** The less memory the program uses, the faster it starts children. */
const smallHeapOption = '--max-semi-space-size=1';
const restartDelayMs = 1000;

interface PreparedSocket {
  readonly number: number;
  readonly socket: Socket;
}

/** One run of the spawner program. */
class Spawner {
  isOpen = true;
  readonly #idle: PreparedSocket[] = [];
  readonly #running = new Map<number, (end: Omit<FromSpawner, 'id'>) => void>();
  readonly #program: ChildProcess;
  #lastId = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-git-'));
    const path = join(folder, 'socket');
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#prepare(socket));
    server.listen(path).unref();
    this.#program = spawn(
      process.execPath,
      [smallHeapOption, spawnerProgram, path, String(poolSize)],
      {
        env: {},
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    const close = () => {
      this.isOpen = false;
      server.close();
      for (const { socket } of this.#idle.splice(0)) socket.destroy();
      rmSync(folder, { recursive: true, force: true });
      for (const resolve of this.#running.values()) resolve({ code: null, stderr: 'lost' });
    };
    this.#program.once('error', close).once('exit', close);
    this.#program.stdin?.on('error', () => {});
    if (this.#program.stdout)
      createInterface({ input: this.#program.stdout }).on('line', (line) => this.#end(line));
    this.#hold(false);
  }

  /** Null when no sockets are ready: the caller starts git itself. */
  start(
    args: readonly string[],
    environment: Environment,
    hasChannel: boolean,
    niceness: Niceness | null,
  ) {
    if (!this.isOpen || this.#idle.length < (hasChannel ? 3 : 2)) return null;
    const [stdin, stdout] = [this.#idle.shift(), this.#idle.shift()];
    const channel = hasChannel ? this.#idle.shift() : null;
    if (!stdin || !stdout) return null;
    this.#lastId += 1;
    const id = this.#lastId;
    for (const used of [stdin, stdout, channel]) used?.socket.ref();
    const ended = new Promise<Omit<FromSpawner, 'id'>>((resolve) => this.#running.set(id, resolve));
    ended.then(() => stdin.socket.destroy());
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
      ended,
      stop: () => this.#send({ kind: 'stop', id }),
    };
  }

  #send(message: ToSpawner) {
    this.#program.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #end(line: string) {
    const { id, ...end } = JSON.parse(line) as FromSpawner;
    this.#running.get(id)?.(end);
    this.#running.delete(id);
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

/** Starts git through the spawner; null while that is not ready. */
export function spawnGit(
  args: readonly string[],
  environment: Environment,
  hasChannel: boolean,
  niceness: Niceness | null,
) {
  if (!current?.isOpen && Date.now() - startedAt > restartDelayMs) {
    startedAt = Date.now();
    current = new Spawner();
  }
  return current?.start(args, environment, hasChannel, niceness) ?? null;
}
