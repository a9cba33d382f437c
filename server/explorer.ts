import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type Koa from 'koa';
import type { ExplorerPage } from './explorer-page.ts';
import { matches } from './http/conditional.ts';
import { contentEncoding } from './http/content-encoding.ts';

const encodings = ['br', 'gzip'] as const;

const explorers = new Map<string, Promise<ExplorerPage>>();

/**
 * Serves the explorer from our own host: one page, whose scripts the policy allows by their hashes.
 * All connections send the same buffer, so that a client that does not read costs no memory.
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
  // not secret; revalidated at each visit, so that a new version appears at once
  ctx.set('Cache-Control', 'public, no-cache');
  if (matches(ctx.get('If-None-Match'), entityTag)) {
    ctx.status = 304;
    return;
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  const { buffer, byteOffset, byteLength } = bodies[encoding];
  ctx.body = Buffer.from(buffer, byteOffset, byteLength);
}

/** Rendered at the first visit; a failure is not cached. */
function explorerOf(endpoint: string): Promise<ExplorerPage> {
  const existing = explorers.get(endpoint);
  if (existing) return existing;
  const explorer = renderExplorer(endpoint);
  explorers.set(endpoint, explorer);
  explorer.catch(() => explorers.delete(endpoint));
  return explorer;
}

/**
 * In a separate thread: loading, hashing and compressing nine megabytes would block the event loop
 * for a second.
 */
async function renderExplorer(endpoint: string): Promise<ExplorerPage> {
  const worker = new Worker(new URL('./explorer-page.ts', import.meta.url), {
    workerData: { endpoint },
  });
  const [page] = await once(worker, 'message');
  return page as ExplorerPage;
}
