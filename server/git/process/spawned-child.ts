import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { GitUnavailable } from '../../../schema/kernel/outage.ts';

/** As long as the spawner waits between SIGTERM and SIGKILL. */
export const killAfterMs = 5_000;

const lostText = 'the process that starts git was lost';

/** A child of a lost spawner may write its output to the end for this time. */
const orphanMs = 60_000;

export interface ChildEnd {
  readonly code: number | null;
  readonly stderr: string;
}

interface SpawnedChildOptions {
  readonly stdout: Socket;
  /** Whether the spawner answers. */
  readonly isTrusted: () => boolean;
  readonly send: (kind: 'stop' | 'kill') => void;
}

/** A git process that the spawner has been asked to start. */
export class SpawnedChild {
  readonly askedAt = performance.now();
  /** Rejects with `GitUnavailable` if git did not start or nothing is known about it. */
  readonly ended: Promise<ChildEnd>;
  pid: number | undefined;
  readonly #options: SpawnedChildOptions;
  #settle: { resolve(end: ChildEnd): void; reject(error: Error): void } | null = null;
  #isOver = false;
  #isOrphan = false;
  /** What was requested of the spawner, which may never do it. */
  #wanted: 'stop' | 'kill' | null = null;
  #killing: NodeJS.Timeout | undefined;

  constructor(options: SpawnedChildOptions) {
    this.#options = options;
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.ended.catch(() => {});
  }

  end(end: ChildEnd) {
    this.#finish();
    this.#settle?.resolve(end);
  }

  fail(reason: string) {
    this.#finish();
    this.#settle?.reject(new GitUnavailable(reason));
  }

  /**
   * The spawner is lost, and with it the exit status. Output that a client receives may still be complete; a
   * command without output has failed.
   */
  lose() {
    if (this.#isOver) return;
    this.#isOrphan = true;
    const { stdout } = this.#options;
    const hasOutput = this.pid !== undefined && stdout.bytesRead > 0;
    if (hasOutput) this.#settle?.resolve({ code: null, stderr: lostText });
    else this.#settle?.reject(new GitUnavailable(lostText));
    if (this.#wanted) return this[this.#wanted]();
    if (!hasOutput) return this.stop();
    this.#killing = setTimeout(() => this.stop(), orphanMs).unref();
    stdout.once('close', () => this.#killLater());
  }

  /** SIGTERM, and SIGKILL if it does not exit; by the server itself if the spawner does not answer. */
  stop() {
    if (this.#isOver) return;
    this.#wanted ??= 'stop';
    if (this.#isOrphan || !this.#options.isTrusted()) this.#signal('SIGTERM');
    else this.#options.send('stop');
    this.#killLater();
  }

  /** SIGKILL at once. */
  kill() {
    if (this.#isOver) return;
    this.#wanted = 'kill';
    if (!this.#isOrphan && this.#options.isTrusted()) this.#options.send('kill');
    else this.#killNow();
  }

  #killLater() {
    clearTimeout(this.#killing);
    this.#killing = setTimeout(() => this.#killNow(), 2 * killAfterMs).unref();
  }

  #killNow() {
    this.#signal('SIGKILL');
    if (!this.#isOrphan) return this.lose();
    this.#finish();
  }

  #finish() {
    this.#isOver = true;
    clearTimeout(this.#killing);
  }

  #signal(signal: NodeJS.Signals) {
    // the parent of an orphan has reaped it, so another process may have its id
    if (this.pid === undefined || (this.#isOrphan && !isGit(this.pid))) return;
    try {
      process.kill(this.pid, signal);
    } catch {
      // it has exited
    }
  }
}

function isGit(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('git');
  } catch {
    return false;
  }
}
