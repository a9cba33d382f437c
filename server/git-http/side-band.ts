import { pipeline, type Readable, Transform } from 'node:stream';
import { flushPacket, packetLine } from './protocol.ts';

const zero = '0'.charCodeAt(0);

/** The report of receive-pack ends with a flush packet, and so does the side band that carries it. */
const endOfSideBand = flushPacket.length * 2;

/** The channel of the side band whose text git prints after `remote: `. */
const printedChannel = '\u0002';

/** The output of `git receive-pack`, to which lines can be added that the client prints. */
export interface PushOutput {
  /** All of the output but the flush packet that ends its side band. */
  readonly stream: Readable;
  /**
   * After the stream: what remains to be sent. A client that reads no side band gets no lines.
   */
  readonly end: (lines: readonly string[]) => Buffer;
}

/**
 * Holds back the end of the output of `git receive-pack`, so that the lines follow its report as
 * the output of a `post-receive` hook would. The reference advertisement, which a client of SSH
 * reads before it sends anything, ends with one flush packet and is never held back.
 */
export function pushOutput(output: Readable): PushOutput {
  let zeros = 0;
  let held: Buffer = Buffer.alloc(0);
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const trailing = trailingZeros(chunk);
      zeros = trailing === chunk.length ? Math.min(zeros + trailing, endOfSideBand) : trailing;
      const bytes = Buffer.concat([held, chunk]);
      const kept = bytes.length - Math.max(0, zeros - flushPacket.length);
      held = Buffer.from(bytes.subarray(kept));
      done(null, bytes.subarray(0, kept));
    },
  });
  // a failure of git is known by its exit status
  stream.on('error', () => {});
  pipeline(output, stream, () => {});
  return {
    stream,
    end: (lines) =>
      zeros === endOfSideBand ? Buffer.concat([...lines.map(printedPacket), held]) : held,
  };
}

/** The number of zeros at the end of a chunk, at most those that end a side band. */
function trailingZeros(chunk: Buffer): number {
  const most = Math.min(chunk.length, endOfSideBand);
  let count = 0;
  while (count < most && chunk[chunk.length - 1 - count] === zero) count += 1;
  return count;
}

/** Characters; a packet of the side band has at most 65,515 bytes of text. */
const longestLine = 16_000;

const printedPacket = (line: string): Buffer =>
  Buffer.from(packetLine(`${printedChannel}${line.slice(0, longestLine)}\n`));
