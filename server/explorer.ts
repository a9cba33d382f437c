import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type Koa from 'koa';
import type { ExplorerPage } from './explorer-page.ts';
import { matches } from './http/conditional.ts';
import { contentEncoding } from './http/content-encoding.ts';

const encodings = ['br', 'gzip'] as const;

const explorers = new Map<string, Promise<ExplorerPage>>();

/**
 * The explorer from our own host: one page, whose scripts the browser recognizes by their hashes.
 * All connections are sent the same bytes, so that one that does not read them costs no memory.
 */
export async function sendExplorer(ctx: Koa.Context, endpoint: string): Promise<void> {
  const { bodies, policy, tag } = await explorerOf(endpoint);
  const encoding = contentEncoding(ctx, encodings);
  const entityTag = `"${tag}-${encoding}"`;
  ctx.type = 'html';
  ctx.set('Content-Security-Policy', policy);
  ctx.vary('Accept');
  ctx.vary('Accept-Encoding');
  ctx.set('ETag', entityTag);
  // nothing in it is secret, and a new version is seen at the next visit
  ctx.set('Cache-Control', 'public, no-cache');
  if (matches(ctx.get('If-None-Match'), entityTag)) {
    ctx.status = 304;
    return;
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  const { buffer, byteOffset, byteLength } = bodies[encoding];
  ctx.body = Buffer.from(buffer, byteOffset, byteLength);
}

/** Rendered at the first visit; a failure is not kept. */
function explorerOf(endpoint: string): Promise<ExplorerPage> {
  const existing = explorers.get(endpoint);
  if (existing) return existing;
  const explorer = renderExplorer(endpoint);
  explorers.set(endpoint, explorer);
  explorer.catch(() => explorers.delete(endpoint));
  return explorer;
}

/**
 * In a thread of its own, which ends with it: loading, hashing and compressing nine megabytes takes
 * the event loop a second.
 */
async function renderExplorer(endpoint: string): Promise<ExplorerPage> {
  const worker = new Worker(new URL('./explorer-page.ts', import.meta.url), {
    workerData: { endpoint },
  });
  const [page] = await once(worker, 'message');
  return page as ExplorerPage;
}
