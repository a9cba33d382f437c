/** Characters that wait while nothing can be written; later lines are dropped and counted. */
const maxWaiting = 4 * 2 ** 20;
/** Bytes that a pipe takes at once: lines of several processes do not mix. */
const maxAtOnce = 4096;
/** Milliseconds before a failed write is repeated; the pause doubles. */
const shortestPause = 10;
const longestPause = 1_000;

/**
 * Writes lines by `writeSome`, which throws or returns how many bytes it has written. What it cannot write
 * is tried again later; after the reader of a pipe has exited all lines are dropped.
 */
export function waitingLines(writeSome: (bytes: Buffer) => number) {
  const lines: string[] = [];
  let length = 0;
  let dropped = 0;
  /** Taken from `lines`, and written in part or not at all. */
  let unwritten: Buffer = Buffer.alloc(0);
  let pause = shortestPause;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  /** As many lines as fit into one write. */
  const take = (): Buffer => {
    let [count, bytes] = [0, 0];
    for (const line of lines) {
      bytes += Buffer.byteLength(line);
      if (count > 0 && bytes > maxAtOnce) break;
      count += 1;
    }
    const text = lines.splice(0, count).join('');
    length -= text.length;
    return Buffer.from(text);
  };

  const takeNext = (): Buffer => {
    if (lines.length > 0) return take();
    const count = dropped;
    dropped = 0;
    return Buffer.from(count > 0 ? droppedLine(count) : '');
  };

  const flush = () => {
    try {
      for (;;) {
        if (unwritten.length === 0) unwritten = takeNext();
        if (unwritten.length === 0) return;
        unwritten = unwritten.subarray(writeSome(unwritten));
        pause = shortestPause;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') close();
      else repeatLater();
    }
  };

  const repeatLater = () => {
    timer = setTimeout(() => {
      timer = null;
      flush();
    }, pause).unref();
    pause = Math.min(2 * pause, longestPause);
  };

  const close = () => {
    isClosed = true;
    lines.length = 0;
    unwritten = Buffer.alloc(0);
  };

  const add = (line: string) => {
    if (isClosed) return;
    if (length + line.length > maxWaiting) {
      dropped += 1;
      return;
    }
    lines.push(line);
    length += line.length;
    if (timer === null) flush();
  };

  return { add, flush };
}

const droppedLine = (count: number): string => {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'warn', time, count, msg: 'log lines were dropped' })}\n`;
};
