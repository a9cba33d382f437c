import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { ServerChannel } from 'ssh2';
import { bytesSent } from '../http/stall-watchdog.ts';

/** Bytes of a connection that wait for its client: the library takes what the window allows, up to 4 GiB. */
const maxUnsent = 2 ** 20;

/** The client's end of a command. */
export interface ClientEnd {
  readonly channel: ServerChannel;
  /** The connection, which the client may use for several commands. */
  readonly socket: Socket;
}

/** The end of git. */
export interface GitEnd {
  readonly stdin: Writable;
  readonly output: Readable;
}

export interface Transfer {
  /** Bytes that the client has sent, and that it has been sent, about. */
  moved(): number;
  /** Whether the client does not read. */
  isUnread(): boolean;
  /** Discards what either end still sends. */
  stop(): void;
}

/**
 * Copies between a client and git, as fast as each reads. `accept` is called with each chunk of the client, and
 * tells whether git may read it: until a promise resolves, the client waits.
 */
export function transfer(
  { channel, socket }: ClientEnd,
  { stdin, output }: GitEnd,
  accept: (chunk: Buffer) => boolean | Promise<boolean>,
): Transfer {
  let [received, sent, isOver] = [0, 0, false];

  const pass = (chunk: Buffer) => {
    if (!isOver && stdin.writable && !stdin.write(chunk)) channel.pause();
  };
  channel.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (isOver) return;
    const accepted = accept(chunk);
    if (accepted === true) return pass(chunk);
    if (accepted === false) return;
    channel.pause();
    accepted.then((isAccepted) => {
      channel.resume();
      if (isAccepted) pass(chunk);
    });
  });
  stdin.on('error', () => {});
  stdin.on('drain', () => channel.resume());
  channel.once('end', () => stdin.end());

  const proceed = () => {
    if (isOver || (!channel.writableNeedDrain && socket.writableLength <= maxUnsent))
      output.resume();
  };
  output.on('data', (chunk: Buffer) => {
    if (isOver) return;
    sent += chunk.length;
    if (!channel.write(chunk) || socket.writableLength > maxUnsent) output.pause();
  });
  channel.on('drain', proceed);
  socket.on('drain', proceed);
  output.once('close', () => socket.off('drain', proceed));

  return {
    moved: () =>
      received + sent - channel.writableLength - (socket.bytesWritten - bytesSent(socket)),
    isUnread: () => output.isPaused(),
    stop: () => {
      isOver = true;
      output.resume();
    },
  };
}
