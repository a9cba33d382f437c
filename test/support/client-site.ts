import { createServer } from 'node:http';
import { afterAll } from 'vitest';

/** A small application of its own host and port, to which people are sent back. */
export interface ClientSite {
  /** Where people come back to. */
  readonly callback: string;
  /** What came with them behind `?`, the last first. */
  readonly received: () => Readonly<Record<string, string>>;
}

/** Where a person is who was led on. */
export const home = '/home';

/** A site that writes down what it is sent, and shows it. Closed with the test file. */
export async function clientSite(): Promise<ClientSite> {
  let last: Readonly<Record<string, string>> = {};
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/callback') {
      last = Object.fromEntries(searchParams);
      // applications often live elsewhere than where people come back to
      if (last.state === 'lead on') {
        response.writeHead(302, {
          Location: `http://localhost:${request.socket.localPort}${home}`,
        });
        response.end();
        return;
      }
    }
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Robot</title><h1>Back at the application</h1>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { callback: `http://127.0.0.1:${port}/callback`, received: () => last };
}
