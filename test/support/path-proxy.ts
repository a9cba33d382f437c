import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { afterAll } from 'vitest';
import { freePort } from './free-port.ts';

/** A reverse proxy below a path prefix, as operators configure it. */
export interface PathProxy {
  /** The public base URL, with the prefix. */
  readonly url: string;
  /** Forwards to this server, without the prefix; other paths get 404. */
  readonly forwardTo: (server: string) => void;
  /** The status and the path of each response so far. */
  readonly responses: readonly string[];
}

/** Started before the server, whose MILLRACE_URL it is; closed after the test file. */
export async function pathProxy(prefix: string): Promise<PathProxy> {
  let target = '';
  const responses: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (!path.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const { method, headers } = incoming;
    const forwarded = request(
      `${target}${path.slice(prefix.length)}`,
      { method, headers },
      (response) => {
        responses.push(`${response.statusCode} ${path}`);
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  proxy.listen(await freePort(), '127.0.0.1');
  await once(proxy, 'listening');
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as { port: number };
  return {
    responses,
    url: `http://localhost:${port}${prefix}`,
    forwardTo: (server) => {
      target = server;
    },
  };
}
