import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { GitUnavailable } from '../../../schema/kernel/outage.ts';

/** As long as the spawner waits between SIGTERM and SIGKILL. */
export const killAfterMs = 5_000;

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
    if (this.pid === undefined || stdout.bytesRead === 0) {
      this.#signal('SIGKILL');
      return this.fail('the process that starts git was lost');
    }
    this.#settle?.resolve({ code: null, stderr: 'the process that starts git was lost' });
    clearTimeout(this.#killing);
    this.#killing = setTimeout(() => this.stop(), orphanMs).unref();
    stdout.once('close', () => this.#killLater());
  }

  /** SIGTERM, and SIGKILL if it does not exit; by the server itself if the spawner does not answer. */
  stop() {
    if (this.#isOver) return;
    if (this.#isOrphan || !this.#options.isTrusted()) this.#signal('SIGTERM');
    else this.#options.send('stop');
    this.#killLater();
  }

  /** SIGKILL at once. */
  kill() {
    if (this.#isOver) return;
    if (!this.#isOrphan && this.#options.isTrusted()) return this.#options.send('kill');
    this.#signal('SIGKILL');
    this.lose();
  }

  #killLater() {
    clearTimeout(this.#killing);
    this.#killing = setTimeout(() => {
      this.#signal('SIGKILL');
      if (this.#isOrphan) this.#finish();
      else this.lose();
    }, 2 * killAfterMs).unref();
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
