import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Server as ListeningServer } from 'node:net';
import type { Logger } from 'pino';
import { limitConnections } from './connections.ts';
import { inTurn } from './pipelining.ts';
import { type StallLimits, stallLimits, watchStalls } from './stall-watchdog.ts';
import { type StreamLimits, streamLimits } from './stream-gate.ts';

/** Limits on connections and slow clients; times in milliseconds. */
export interface HttpLimits {
  readonly stall: StallLimits;
  readonly streams: StreamLimits;
  /** Connections in all; a further one closes one that waits for its client, or is closed. */
  readonly connections: number;
  /** Connections from one address, except a trusted proxy. */
  readonly connectionsPerAddress: number;
  /** Pipelined requests that wait on one connection. */
  readonly pipelined: number;
  /** Time for the request line and all headers, from the first byte or from the connection. */
  readonly headersMs: number;
  /** How long an idle connection is kept. */
  readonly idleMs: number;
}

export const httpLimits: HttpLimits = {
  stall: stallLimits,
  streams: streamLimits,
  connections: 4000,
  connectionsPerAddress: 1000,
  pipelined: 64,
  headersMs: 20_000,
  idleMs: 5_000,
};

interface HttpServerOptions {
  readonly limits: HttpLimits;
  /** Addresses and networks that many clients share. */
  readonly trustedProxies: readonly string[];
  readonly log: Pick<Logger, 'info'>;
}

/** Creates an HTTP server that limits connections, slow clients and pipelining. */
export function createHttpServer(
  listener: RequestListener,
  { limits, trustedProxies, log }: HttpServerOptions,
): Server {
  const { headersMs, idleMs } = limits;
  const server = createServer(
    {
      headersTimeout: headersMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: headersMs / 4,
      // a pack of gigabytes takes longer than Node's five minutes; the watchdog cuts a slow body
      requestTimeout: 0,
      // ends connections whose client vanished without closing them
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    },
    inTurn(listener, limits.pipelined),
  );
  limitConnections(server, limits, trustedProxies);
  watchStalls(server, limits.stall, ({ remoteAddress }, slowAt) =>
    log.info({ address: remoteAddress, slowAt }, 'a slow connection was cut'),
  );
  return server;
}

interface ListenAddress {
  readonly port: number;
  readonly host: string;
  /** Whether other processes listen on the port too: the kernel distributes the connections. */
  readonly isShared?: boolean;
}

/** Listens, and returns the port: the one the system chose if `port` is 0. */
export async function listen(
  server: ListeningServer,
  { port, host, isShared = false }: ListenAddress,
): Promise<number> {
  server.listen({ port, host, reusePort: isShared });
  try {
    await once(server, 'listening');
  } catch (error) {
    const explain = listenErrors[(error as NodeJS.ErrnoException).code ?? ''];
    throw explain ? new Error(explain(port, host), { cause: error }) : error;
  }
  return (server.address() as { port: number }).port;
}

const listenErrors: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `Another program listens on port ${port} of ${host}. Set PORT to a free port, or stop that program.`,
  EACCES: (port) =>
    `This account may not listen on port ${port}. Set PORT to 1024 or higher, or use a reverse proxy.`,
  EADDRNOTAVAIL: (_port, host) => `HOST must be an address of this machine, not ${host}`,
  ENOTFOUND: (_port, host) => `HOST must be an address of this machine, not ${host}`,
};
