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

/** How often a transfer is checked in each window. */
const looksPerWindow = 6;

/** Milliseconds between two checks. */
export const lookInterval = ({ windowMs }: StallLimits): number => windowMs / looksPerWindow;

/** When data began to wait, and the bytes transferred until then. */
interface Wait {
  readonly since: number;
  readonly moved: number;
}

/**
 * Judges one direction at each check: whether fewer than `leastBytes` of `moved`, the bytes transferred
 * until now, were transferred in `windowMs` while it waited for the client.
 */
export function stallDetector({ windowMs, leastBytes }: StallLimits) {
  let wait: Wait | null = null;
  return (isWaiting: boolean, moved: number): boolean => {
    const now = performance.now();
    const isOver = wait !== null && now - wait.since >= windowMs;
    if (isWaiting && isOver && wait && moved - wait.moved < leastBytes) return true;
    if (!isWaiting) wait = null;
    else if (!wait || isOver) wait = { since: now, moved };
    return false;
  };
}

interface Connection {
  request: IncomingMessage | null;
  readonly isReadingSlowly: ReturnType<typeof stallDetector>;
  readonly isSendingSlowly: ReturnType<typeof stallDetector>;
}

/** The counters that Node's timeouts use; `bytesWritten` of the socket includes waiting bytes. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** Bytes handed to the operating system, including partly written chunks. */
export function bytesSent(socket: Socket): number {
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
  limits: StallLimits,
  onCut: (socket: Socket, stall: Stall) => void,
): void {
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    const [isReadingSlowly, isSendingSlowly] = [stallDetector(limits), stallDetector(limits)];
    connections.set(socket, { request: null, isReadingSlowly, isSendingSlowly });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request: IncomingMessage) => {
    const connection = connections.get(request.socket);
    if (connection) connection.request = request;
  });

  const cut = (socket: Socket, stall: Stall): void => {
    connections.delete(socket);
    onCut(socket, stall);
    socket.destroy();
  };
  /** The direction in which the client was too slow; null while it is not. */
  const stallOf = (socket: Socket, connection: Connection): Stall | null => {
    const { request, isReadingSlowly, isSendingSlowly } = connection;
    const isSlow = isSendingSlowly(awaitsBody(request), socket.bytesRead);
    if (isReadingSlowly(socket.writableLength > 0, bytesSent(socket))) return 'reading';
    return isSlow ? 'sending' : null;
  };
  const timer = setInterval(() => {
    for (const [socket, connection] of connections) {
      const stall = stallOf(socket, connection);
      if (stall) cut(socket, stall);
    }
  }, lookInterval(limits));
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
