import { GitUnavailable } from '../../../schema/kernel/outage.ts';
import { currentCaller } from '../../scheduling/scope.ts';
import { type GitChild, startGit } from '../process/child.ts';
import type { PreparedGit } from '../process/intact-caches.ts';
import { GitFailure } from '../process/run.ts';
import { type ExpectedResponse, type ObjectResponse, ResponseReader } from './response-reader.ts';

const maxRequests = 10_000;
const maxRequestsOfCaller = 5_000;

/**
 * What the process has to do at a time, counted in requests without content. More would delay the first request of
 * another caller; half of it is enough for the process not to wait.
 */
const maxLoad = 64;
const loadOfContent = 8;
const loadOf = ({ wantsContent }: ExpectedResponse): number => (wantsContent ? loadOfContent : 1);

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
 * A long-running `git cat-file --batch-command`: requests are pipelined, responses arrive in order. Callers with many
 * requests take turns. Content beyond `maxContentBytes` is discarded.
 */
export class CatFile {
  readonly ended: Promise<void>;
  readonly #child: GitChild;
  /** Sent, in order. */
  readonly #pending: PendingRequest[] = [];
  /** Not sent yet, by caller; a caller whose request was sent moves to the end. */
  readonly #waiting = new Map<string, PendingRequest[]>();
  #waitingCount = 0;
  #load = 0;
  #isSending = false;
  #failure: Error | null = null;
  #isEnding = false;
  #hasExited = false;
  #isBroken = false;
  #signsOfLife = 0;

  constructor({ args, environment }: PreparedGit, maxContentBytes: number) {
    this.#child = startGit(args, { environment, isShared: true });
    const reader = new ResponseReader({
      expected: () => this.#pending[0],
      deliver: (answer) => this.#deliver(answer),
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
    const caller = currentCaller();
    const key = caller ? `${caller.class} ${caller.key}` : '';
    const own = this.#waiting.get(key) ?? [];
    if (this.#waitingCount >= maxRequests || own.length >= maxRequestsOfCaller)
      return Promise.reject(new GitFailure('cat-file', 'too many concurrent requests'));
    return new Promise((resolve, reject) => {
      own.push({ name, wantsContent, resolve, reject });
      this.#waiting.set(key, own);
      this.#waitingCount += 1;
      this.#sendSoon();
    });
  }

  /** Ends the process after the pending responses. */
  end() {
    this.#isEnding = true;
    this.#send();
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

  /** One write for all requests of a turn of the event loop. */
  #sendSoon() {
    if (this.#isSending) return;
    this.#isSending = true;
    queueMicrotask(() => {
      this.#isSending = false;
      this.#send();
    });
  }

  #send() {
    let text = '';
    while (this.#load < maxLoad) {
      const request = this.#next();
      if (!request) break;
      this.#pending.push(request);
      this.#load += loadOf(request);
      text += `${request.wantsContent ? 'contents' : 'info'} ${request.name}\0`;
    }
    if (text !== '') this.#child.stdin.write(`${text}flush\0`);
    if (this.#isEnding && this.#waitingCount === 0) this.#child.stdin.end();
  }

  /** The next request of the caller that has waited longest for a turn. */
  #next(): PendingRequest | undefined {
    for (const [caller, requests] of this.#waiting) {
      const request = requests.shift();
      this.#waiting.delete(caller);
      if (requests.length > 0) this.#waiting.set(caller, requests);
      this.#waitingCount -= 1;
      return request;
    }
    return undefined;
  }

  #deliver(answer: ObjectResponse | null) {
    const request = this.#pending.shift();
    if (!request) return;
    this.#load -= loadOf(request);
    if (this.#waitingCount > 0 && this.#load <= maxLoad / 2) this.#sendSoon();
    request.resolve(answer);
  }

  #fail(error: Error) {
    if (this.#failure) return;
    this.#failure = error;
    this.#child.stop();
    const unsent = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#waitingCount = 0;
    for (const { reject } of [...this.#pending.splice(0), ...unsent]) reject(error);
  }
}
