import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface StallLimits {
  /** Milliseconds. */
  readonly windowMs: number;
  /** Bytes that must be transferred in that time while data is waiting. */
  readonly leastBytes: number;
}

/** 1 KiB/s: a modem is faster, and a client that has stopped reading is not. */
export const stallLimits: StallLimits = { windowMs: 30_000, leastBytes: 30 * 1024 };

/** How often the connections are checked in each window. */
const looksPerWindow = 6;

/** When data began to wait in one direction, and the bytes transferred until then. */
interface Wait {
  readonly since: number;
  readonly moved: number;
}

interface Connection {
  request: IncomingMessage | null;
  reading: Wait | null;
  writing: Wait | null;
}

/** The counters that Node's timeouts use; `bytesWritten` of the socket includes waiting bytes. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** Bytes handed to the operating system, including partly written chunks. */
function bytesSent(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle: Handle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}

/** Whether the server waits for the client: the body is incomplete, and its buffer has room. */
const awaitsBody = (request: IncomingMessage | null): boolean =>
  request !== null &&
  !request.complete &&
  !request.destroyed &&
  request.readableLength < request.readableHighWaterMark;

type Stall = 'reading' | 'sending';

/**
 * Closes each connection whose client reads a response or sends a request body more slowly
 * than `leastBytes` in `windowMs`. Time counts only while data waits for the client: a client may
 * wait hours for the server, e.g. for a pack or a job. `onCut` receives the slow direction.
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
  /** The same wait, or a new one if its window is over. */
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
