import { maskingOf } from './masking.ts';
import type { Answer, Protocol, Speaker } from './protocol.ts';
import { abandonedAfter, isUnavailable, retryDelay, sleep } from './retry.ts';

/** What a job prints, on its way to the service. */
export interface Trace {
  /** Output of a script; secrets are hidden, what is beyond the limit is left out. */
  write(piece: Uint8Array): void;
  /** A line of the runner's own. */
  say(line: string): void;
  /** Nothing follows: resolves when everything is acknowledged or the service wants no more. */
  end(): Promise<void>;
  /** Aborted when the service says that the job is over, e.g. canceled, or was never heard of again. */
  readonly unwanted: AbortSignal;
}

export interface TraceOptions {
  readonly secrets: Iterable<string>;
  /** Bytes. */
  readonly limit: number;
  /** Ends all sending, also of what is not acknowledged. */
  readonly giveUp: AbortSignal;
}

/** Pieces are gathered for so long, milliseconds. */
const gathering = 1_000;
/** So often a silent job is heard of, and hears whether it is still wanted. */
const heartbeat = 5_000;
const largestPiece = 256 * 1024;

export const green = (text: string) => `\u001B[32;1m${text}\u001B[0;m`;
export const yellow = (text: string) => `\u001B[0;33m${text}\u001B[0;m`;
export const red = (text: string) => `\u001B[31;1m${text}\u001B[0;m`;

/**
 * Sends a trace in pieces. What the service has not acknowledged is kept in memory, at most `limit`
 * bytes, and sent again from where it says that it stands, however often it goes away meanwhile.
 */
export function openTrace(
  job: Speaker,
  protocol: Pick<Protocol, 'patchTrace' | 'updateJob'>,
  { secrets, limit, giveUp }: TraceOptions,
): Trace {
  const masking = maskingOf(secrets);
  const unwanted = new AbortController();
  const over = AbortSignal.any([unwanted.signal, giveUp]);
  const spool = spoolOf(limit);
  let hasEnded = false;
  let wake = () => {};

  const settle = ({ status, headers }: Answer) => {
    const said = headers.get('Job-Status');
    const isOver = said !== null && said !== 'running' && said !== 'pending';
    if (status === 403 || status === 404 || isOver) unwanted.abort(said ?? String(status));
  };

  const sendPiece = async (): Promise<boolean> => {
    const piece = spool.first(largestPiece);
    const start = spool.start();
    const answer =
      piece.length > 0
        ? await protocol.patchTrace(job, start, piece)
        : await protocol.updateJob(job, 'running');
    if (isUnavailable(answer)) return false;
    settle(answer);
    if (piece.length === 0) return true;
    if (answer.status === 202) spool.acknowledge(start + piece.length);
    else if (answer.status === 416 && sizeIn(answer) !== null)
      spool.acknowledge(sizeIn(answer) ?? 0);
    // too long for the service, or not for it at all: the job goes on without
    else spool.drop();
    return true;
  };

  const pause = (milliseconds: number) => {
    const woken = new AbortController();
    wake = () => woken.abort();
    return sleep(milliseconds, AbortSignal.any([woken.signal, over]));
  };

  const sending = (async () => {
    let failures = 0;
    let heardAt = Date.now();
    while (!over.aborted) {
      const isSilent = spool.length() === 0;
      if (isSilent && hasEnded) return;
      if (isSilent && Date.now() - heardAt < heartbeat) {
        await pause(Math.min(gathering, heartbeat));
        continue;
      }
      const isDone = await sendPiece().catch(() => false);
      failures = isDone ? 0 : failures + 1;
      if (isDone) heardAt = Date.now();
      else if (Date.now() - heardAt > abandonedAfter) unwanted.abort('unreachable');
      if (!isDone) await sleep(retryDelay(failures - 1), over);
      else if (!hasEnded) await pause(gathering);
    }
  })();

  return {
    unwanted: unwanted.signal,
    write: (piece) => spool.append(masking.next(piece)),
    say: (line) => spool.append(masking.next(Buffer.from(`${line}\n`)), true),
    end: async () => {
      spool.append(masking.end(), true);
      hasEnded = true;
      wake();
      await sending;
    },
  };
}

/** Where the service stands, of a refusal of a piece that does not begin there. */
function sizeIn({ headers }: Answer): number | null {
  const size = /^0-(\d+)$/.exec(headers.get('Range') ?? '')?.[1];
  return size === undefined ? null : Number(size);
}

/** The bytes that are not acknowledged yet. */
function spoolOf(limit: number) {
  let pieces: Buffer[] = [];
  let start = 0;
  let length = 0;
  let isFull = false;
  const add = (piece: Buffer) => {
    if (piece.length === 0) return;
    pieces.push(piece);
    length += piece.length;
  };
  return {
    append(piece: Buffer, isOwn = false) {
      if (isOwn) return add(piece);
      if (isFull) return;
      const room = Math.max(0, limit - start - length);
      add(piece.subarray(0, room));
      if (room >= piece.length) return;
      isFull = true;
      const told = `The trace is longer than ${limit} bytes: the rest is left out.`;
      add(Buffer.from(`\n${yellow(told)}\n`));
    },
    length: () => length,
    first(most: number): Buffer {
      if ((pieces[0]?.length ?? 0) < Math.min(most, length)) pieces = [Buffer.concat(pieces)];
      return (pieces[0] ?? Buffer.alloc(0)).subarray(0, most);
    },
    start: () => start,
    /** The service has so much. Where that is not within what is kept here, the rest follows there. */
    acknowledge(size: number) {
      const done = size - start;
      start = size;
      if (done <= 0) return;
      pieces = [Buffer.concat(pieces).subarray(done)];
      length = Math.max(0, length - done);
    },
    drop() {
      start += length;
      pieces = [];
      length = 0;
    },
  };
}
