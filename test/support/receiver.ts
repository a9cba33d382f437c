import { execFile } from 'node:child_process';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import { expectDocumented } from './contract/webhooks.ts';

/** A received request. */
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

/** A server's key and certificate in PEM. */
interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/**
 * A server that receives web hooks; `respond` sends the response, or leaves the request open. With a
 * certificate it uses TLS.
 */
export async function receiver(
  respond: (response: ServerResponse, request: Received) => void = (response) => response.end('ok'),
  certificate?: Certificate,
): Promise<Receiver> {
  const received: Received[] = [];
  const listen = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const fields = { path: request.url ?? '', headers: request.headers, text };
      const parsed = { ...fields, body: text === '' ? {} : JSON.parse(text) };
      received.push(parsed);
      respond(response, parsed);
    });
  };
  const server = certificate ? createSecureServer(certificate, listen) : createServer(listen);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    expectDocumented(
      received.flatMap(({ headers, body }) => {
        const event = headers['x-gitlab-event'];
        return typeof event === 'string' ? [{ event, payload: body }] : [];
      }),
    );
  });
  const { port } = server.address() as { port: number };
  return { url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`, received };
}

/** A self-signed certificate for 127.0.0.1. */
export async function selfSigned(): Promise<Certificate> {
  const { stdout } = await promisify(execFile)('openssl', [
    ...['req', '-x509', '-nodes', '-days', '2', '-newkey', 'ec'],
    ...['-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', '-', '-out', '-'],
    ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
  ]);
  const [key = '', cert = ''] = stdout.split(/(?=-----BEGIN CERTIFICATE-----)/);
  return { key, cert };
}
