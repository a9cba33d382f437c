import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import process from 'node:process';
import type { Program } from './service.ts';

/** A minimal HTTP server for a CGI program, for machines without nginx and fcgiwrap. */
export async function startCgi(
  port: number,
  program: string,
  environment: Readonly<Record<string, string>>,
): Promise<Program> {
  const server = createServer((request, response) =>
    respond(request, response, program, environment),
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    pid: process.pid,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  program: string,
  environment: Readonly<Record<string, string>>,
): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const headerVariables = Object.entries(request.headers).map(([name, value]) => [
    `HTTP_${name.toUpperCase().replaceAll('-', '_')}`,
    String(value),
  ]);
  const child = spawn(program, [], {
    env: {
      ...environment,
      ...Object.fromEntries(headerVariables),
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
      REMOTE_ADDR: '127.0.0.1',
      REMOTE_USER: 'bench',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => request.resume());
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', read);
    for (const line of head.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', value = ''] = line.split(/: /, 2);
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', read);
  child.once('exit', () => {
    if (!response.headersSent && head.length === 0) response.writeHead(500).end();
  });
}
