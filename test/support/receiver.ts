import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { afterAll } from 'vitest';

/** A request as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { readonly [name: string]: unknown };
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
}

/** Somebody's server that hooks are sent to; `answer` ends the answer, or does not. */
export async function receiver(
  answer: (response: ServerResponse, request: Received) => void = (response) => response.end('ok'),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const came = { path: request.url ?? '', headers: request.headers, text };
      const whole = { ...came, body: text === '' ? {} : JSON.parse(text) };
      received.push(whole);
      answer(response, whole);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, received };
}
