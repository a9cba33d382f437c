import { maskingOf } from './masking.ts';
import type { Answer, Protocol, Speaker } from './protocol.ts';
import { abandonedAfter, isUnavailable, retryDelay, sleep } from './retry.ts';

export type Trace = ReturnType<typeof openTrace>;

interface TraceOptions {
  readonly secrets: Iterable<string>;
  /** Bytes. */
  readonly limit: number;
  /** Stops sending, even if output is not acknowledged. */
  readonly giveUp: AbortSignal;
}

/** Milliseconds between pieces. */
const gathering = 1_000;
/** Keep-alive interval of a silent job, which also detects cancellation. */
const heartbeat = 5_000;
const maxPieceBytes = 256 * 1024;

export const green = (text: string) => `\u001B[32;1m${text}\u001B[0;m`;
export const yellow = (text: string) => `\u001B[0;33m${text}\u001B[0;m`;
export const red = (text: string) => `\u001B[31;1m${text}\u001B[0;m`;

/**
 * Sends a trace in pieces. Unacknowledged output is kept in memory, at most `limit` bytes, and sent
 * again from the offset that the service reports, however often the connection fails.
 */
export function openTrace(
  job: Speaker,
  protocol: Pick<Protocol, 'patchTrace' | 'updateJob'>,
  { secrets, limit, giveUp }: TraceOptions,
) {
  const masking = maskingOf(secrets);
  const unwanted = new AbortController();
  const over = AbortSignal.any([unwanted.signal, giveUp]);
  const spool = spoolOf(limit);
  let hasEnded = false;
  let wake = () => {};

  const settle = ({ status, headers }: Answer) => {
    const state = headers.get('Job-Status');
    const isOver = state !== null && state !== 'running' && state !== 'pending';
    if (status === 403 || status === 404 || isOver) unwanted.abort(state ?? String(status));
  };

  const sendPiece = async (): Promise<boolean> => {
    const piece = spool.first(maxPieceBytes);
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
    // the trace is too long or the service refuses it: the job continues without
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
    let lastContact = Date.now();
    while (!over.aborted) {
      const isSilent = spool.length() === 0;
      if (isSilent && hasEnded) return;
      if (isSilent && Date.now() - lastContact < heartbeat) {
        await pause(Math.min(gathering, heartbeat));
        continue;
      }
      const isDone = await sendPiece().catch(() => false);
      failures = isDone ? 0 : failures + 1;
      if (isDone) lastContact = Date.now();
      else if (Date.now() - lastContact > abandonedAfter) unwanted.abort('unreachable');
      if (!isDone) await sleep(retryDelay(failures - 1), over);
      else if (!hasEnded) await pause(gathering);
    }
  })();

  return {
    /** Aborted when the job ended on the service, e.g. canceled, or the job is unknown there. */
    unwanted: unwanted.signal,
    /** Program output; secrets are masked, and output beyond the limit is discarded. */
    write: (piece: Uint8Array) => spool.append(masking.next(piece)),
    /** A line of the runner. */
    say: (line: string) => spool.append(masking.next(Buffer.from(`${line}\n`)), true),
    /** Ends the trace; resolves when everything is acknowledged or the service refuses more. */
    end: async (): Promise<void> => {
      spool.append(masking.end(), true);
      hasEnded = true;
      wake();
      await sending;
    },
  };
}

/** The offset in a response that refused a piece with the wrong start. */
function sizeIn({ headers }: Answer): number | null {
  const size = /^0-(\d+)$/.exec(headers.get('Range') ?? '')?.[1];
  return size === undefined ? null : Number(size);
}

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
      const notice = `The trace is longer than ${limit} bytes: the rest is left out.`;
      add(Buffer.from(`\n${yellow(notice)}\n`));
    },
    length: () => length,
    first(most: number): Buffer {
      if ((pieces[0]?.length ?? 0) < Math.min(most, length)) pieces = [Buffer.concat(pieces)];
      return (pieces[0] ?? Buffer.alloc(0)).subarray(0, most);
    },
    start: () => start,
    /** Continues at the service's offset; output before the kept part cannot be sent again. */
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
