import { connect, createServer, type Server, type Socket } from 'node:net';

/** The transfer is aborted below this rate. */
export interface SlowestSource {
  readonly bytesPerSecond: number;
  /** The time over which the rate is measured. */
  readonly seconds: number;
}

export type MeteredRelay = Awaited<ReturnType<typeof openMeteredRelay>>;

/**
 * A local port that forwards to one source and measures its transfer rate. Git limits slow
 * transfers over HTTP itself, but waits for ever over `git://`. One connection at a time.
 */
export async function openMeteredRelay(
  source: { readonly address: string; readonly port: number },
  { bytesPerSecond, seconds }: SlowestSource,
) {
  const tooSlow = new AbortController();
  const sockets = new Set<Socket>();
  const least = bytesPerSecond * seconds;
  let received = 0;
  const timer = setInterval(() => {
    if (sockets.size > 0 && received < least) tooSlow.abort();
    received = 0;
  }, seconds * 1000);
  const server = createServer((client) => {
    if (sockets.size > 0) return client.destroy();
    received = 0;
    timer.refresh();
    const upstream = connect({ host: source.address, port: source.port });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroySoon();
      });
      socket.pipe(other);
    }
    upstream.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    return client;
  });
  await listen(server);
  const { port } = server.address() as { port: number };
  return {
    /** On 127.0.0.1. */
    port,
    /** Aborted when the source is too slow. */
    tooSlow: tooSlow.signal,
    close: () => {
      clearInterval(timer);
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const listen = (server: Server) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
