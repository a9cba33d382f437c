import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * How a store fails: it never answers; begins its response and never continues; or sends a byte a second, of the
 * headers' end and of every body.
 */
export type StoreMode = 'works' | 'is silent' | 'stops after headers' | 'trickles';

export interface HangingStore {
  readonly port: number;
  mode: StoreMode;
  close(): void;
}

/** The smallest S3-compatible store, in memory, which fails as a test says. */
export async function startHangingStore(): Promise<HangingStore> {
  const objects = new Map<string, Buffer>();
  const store = { mode: 'works' as StoreMode };

  const send = (
    response: ServerResponse,
    status: number,
    headers: Readonly<Record<string, string | number>>,
    body: Buffer | string = '',
  ) => {
    const content = Buffer.from(body);
    if (store.mode === 'works') {
      response.writeHead(status, { 'Content-Length': content.length, ...headers }).end(content);
      return;
    }
    // a response without a body would be complete
    response.writeHead(status, { 'Content-Length': content.length || 600, ...headers });
    response.flushHeaders();
    if (store.mode !== 'trickles') return;
    const timer = setInterval(() => response.write(' '), 1_000);
    response.once('close', () => clearInterval(timer));
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (store.mode === 'is silent') return;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
    const key = decodeURIComponent(pathname);
    const content = objects.get(key);
    if (request.method === 'PUT') {
      const body = await buffer(request);
      if (store.mode === 'works' && !searchParams.has('partNumber')) objects.set(key, body);
      const tag = createHash('md5').update(body).digest('hex');
      return send(response, 200, { ETag: `"${tag}"` });
    }
    if (request.method === 'POST') {
      const xml =
        '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>';
      return send(response, 200, { 'Content-Type': 'application/xml' }, xml);
    }
    if (request.method === 'DELETE') return send(response, 204, {});
    if (searchParams.has('list-type')) {
      const xml = '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>';
      return send(response, 200, { 'Content-Type': 'application/xml' }, xml);
    }
    const isBucket = key.split('/').filter((name) => name !== '').length === 1;
    if (!content) return send(response, isBucket ? 200 : 404, {});
    if (request.method === 'HEAD')
      return response.writeHead(200, { 'Content-Length': content.length }).end();
    const [, start = '0', end = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const last = Math.min(content.length - 1, end === '' ? content.length : Number(end));
    const range = { 'Content-Range': `bytes ${start}-${last}/${content.length}`, ETag: '"one"' };
    send(response, 206, range, content.subarray(Number(start), last + 1));
  };

  const server = createServer((request, response) => {
    request.on('error', () => {});
    // a client that gives up
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(store, {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}
