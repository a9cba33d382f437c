import { GitUnavailable } from '../../../schema/kernel/outage.ts';
import { type GitChild, startGit } from '../process/child.ts';
import type { PreparedGit } from '../process/intact-caches.ts';
import { GitFailure } from '../process/run.ts';
import { type ExpectedResponse, type ObjectResponse, ResponseReader } from './response-reader.ts';

const maxPendingRequests = 10_000;

interface PendingRequest extends ExpectedResponse {
  readonly resolve: (answer: ObjectResponse | null) => void;
  readonly reject: (error: Error) => void;
}

/** The arguments of the process for the repository in `folder`. */
export const catFileArgs = (folder: string): readonly string[] => [
  `--git-dir=${folder}`,
  'cat-file',
  '--batch-command',
  '--buffer',
  '-z',
];

/**
 * A long-running `git cat-file --batch-command`: requests are pipelined, responses arrive in order.
 * Content beyond `maxContentBytes` is discarded.
 */
export class CatFile {
  readonly ended: Promise<void>;
  readonly #child: GitChild;
  readonly #pending: PendingRequest[] = [];
  #unsent: string[] = [];
  #failure: Error | null = null;
  #isEnding = false;
  #hasExited = false;
  #isBroken = false;
  #signsOfLife = 0;

  constructor({ args, environment }: PreparedGit, maxContentBytes: number) {
    this.#child = startGit(args, { environment, isShared: true });
    const reader = new ResponseReader({
      expected: () => this.#pending[0],
      deliver: (answer) => this.#pending.shift()?.resolve(answer),
      maxContentBytes,
    });
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#signsOfLife += 1;
      try {
        reader.read(chunk);
      } catch (error) {
        this.#fail(error as Error);
      }
    });
    this.#child.stdout.on('error', (error) => this.#fail(error));
    const closed = new Promise<void>((resolve) => {
      this.#child.stdout.once('close', () => resolve());
    });
    this.ended = Promise.allSettled([this.#child.exit, closed]).then(() => {
      this.#hasExited = true;
      this.#isBroken = this.isOpen && this.#signsOfLife > 0;
      this.#fail(new GitFailure('cat-file', this.#child.stderr() || 'ended unexpectedly'));
    });
  }

  /** False once it has ended or is ending: a request would get no response. */
  get isOpen() {
    return this.#failure === null && !this.#isEnding;
  }

  /** Whether it has exited by itself after it had responded. */
  get isBroken() {
    return this.#isBroken;
  }

  get pid() {
    return this.#child.pid();
  }

  /** Changes with each output; null while neither a response nor its end is due. */
  get progress(): number | null {
    const isDue = this.#pending.length > 0 || this.#isEnding || this.#failure !== null;
    return isDue && !this.#hasExited ? this.#signsOfLife : null;
  }

  /** The object that `name` resolves to; null when there is none. `name` must not contain NUL. */
  request(name: string, wantsContent: boolean): Promise<ObjectResponse | null> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#pending.length >= maxPendingRequests)
      return Promise.reject(new GitFailure('cat-file', 'too many concurrent requests'));
    return new Promise((resolve, reject) => {
      this.#pending.push({ name, wantsContent, resolve, reject });
      if (this.#unsent.length === 0) queueMicrotask(() => this.#send());
      this.#unsent.push(`${wantsContent ? 'contents' : 'info'} ${name}\0`);
    });
  }

  /** Ends the process after the pending responses. */
  end() {
    this.#isEnding = true;
    this.#send();
    this.#child.stdin.end();
  }

  /** Stops the process; rejects pending requests. */
  stop() {
    this.#fail(new GitFailure('cat-file', 'stopped'));
  }

  /** Kills a process that does not respond; rejects pending requests with `GitUnavailable`. */
  kill() {
    this.#fail(new GitUnavailable('git cat-file does not respond'));
    this.#child.kill();
  }

  #send() {
    if (this.#unsent.length === 0) return;
    const text = `${this.#unsent.join('')}flush\0`;
    this.#unsent = [];
    this.#child.stdin.write(text);
  }

  #fail(error: Error) {
    if (this.#failure) return;
    this.#failure = error;
    this.#child.stop();
    for (const { reject } of this.#pending.splice(0)) reject(error);
  }
}
