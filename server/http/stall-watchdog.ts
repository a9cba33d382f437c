import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface StallLimits {
  /** Milliseconds that a slow client is given. */
  readonly windowMs: number;
  /** Bytes that must move in that time while bytes wait to be moved. */
  readonly leastBytes: number;
}

/** 1 KiB/s: a modem is faster, and a client that has stopped reading is not. */
export const stallLimits: StallLimits = { windowMs: 30_000, leastBytes: 30 * 1024 };

/** How often within a window the connections are looked at. */
const looksPerWindow = 6;

/** What had moved in one direction when its bytes began to wait. */
interface Wait {
  readonly since: number;
  readonly moved: number;
}

interface Connection {
  request: IncomingMessage | null;
  reading: Wait | null;
  writing: Wait | null;
}

/** Node's own timeouts read these; `bytesWritten` of the socket counts what only waits, too. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** Bytes that the operating system has taken, also of a chunk that it has not taken whole. */
function bytesSent(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle: Handle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}

/** Whether the client is to send: its body is not whole, and the server has room for more of it. */
const awaitsBody = (request: IncomingMessage | null): boolean =>
  request !== null &&
  !request.complete &&
  !request.destroyed &&
  request.readableLength < request.readableHighWaterMark;

export type Stall = 'reading' | 'sending';

/**
 * Cuts every connection whose client reads its answers, or sends its request's body, more slowly
 * than `leastBytes` in `windowMs`. Time counts only while bytes wait for the client: one that waits
 * for the server, as for a pack or a job, may do so for hours. `onCut` learns what it was slow at.
 */
export function watchStalls(
  server: Server,
  { windowMs, leastBytes }: StallLimits,
  onCut: (socket: Socket, stall: Stall) => void,
): void {
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { request: null, reading: null, writing: null });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request: IncomingMessage) => {
    const connection = connections.get(request.socket);
    if (connection) connection.request = request;
  });

  const isTooSlow = ({ since, moved }: Wait, nowMoved: number): boolean =>
    performance.now() - since >= windowMs && nowMoved - moved < leastBytes;
  /** A wait that goes on, or a new one where it was long enough. */
  const followed = (wait: Wait | null, moved: number): Wait =>
    wait && performance.now() - wait.since < windowMs ? wait : { since: performance.now(), moved };

  const cut = (socket: Socket, stall: Stall): void => {
    connections.delete(socket);
    onCut(socket, stall);
    socket.destroy();
  };
  /** The direction in which the client was too slow; null while it is not. */
  const stallOf = (socket: Socket, connection: Connection): Stall | null => {
    const sent = bytesSent(socket);
    const { reading, writing, request } = connection;
    const isReading = socket.writableLength > 0;
    const isSending = awaitsBody(request);
    if (isReading && reading && isTooSlow(reading, sent)) return 'reading';
    if (isSending && writing && isTooSlow(writing, socket.bytesRead)) return 'sending';
    connection.reading = isReading ? followed(reading, sent) : null;
    connection.writing = isSending ? followed(writing, socket.bytesRead) : null;
    return null;
  };
  const timer = setInterval(() => {
    for (const [socket, connection] of connections) {
      const stall = stallOf(socket, connection);
      if (stall) cut(socket, stall);
    }
  }, windowMs / looksPerWindow);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
