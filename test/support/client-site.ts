import { createServer } from 'node:http';
import { afterAll } from 'vitest';

/** A small OAuth application on its own host and port, the target of redirects. */
export interface ClientSite {
  /** The redirect URI. */
  readonly callback: string;
  /** The query strings of the redirects, the latest first. */
  readonly received: () => Readonly<Record<string, string>>;
}

/** The path to which the site redirects the user. */
export const home = '/home';

/** A site that records and displays the requests it receives. Closed after the test file. */
export async function clientSite(): Promise<ClientSite> {
  let last: Readonly<Record<string, string>> = {};
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/callback') {
      last = Object.fromEntries(searchParams);
      // an application's own address often differs from its redirect URI
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
