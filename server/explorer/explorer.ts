import type Koa from 'koa';
import { explorerFiles } from './files.ts';
import { sendStaticFile } from './static-file.ts';

/** Scripts come from our own host only, where nothing that users store is served as a script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // a dialog of GraphiQL inserts a style element, which keeps the page below it from scrolling
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends the page of the explorer. It is the same for all users, and revalidated at each visit. */
export async function sendExplorer(ctx: Koa.Context): Promise<void> {
  const { page } = await explorerFiles();
  ctx.set('Content-Security-Policy', policy);
  ctx.vary('Accept');
  await sendStaticFile(ctx, page, 'public, no-cache');
}

const address = /^\/assets\/explorer-[\w-]{16}\/([a-z.-]{1,20})$/;

/** A year: the address changes with the content. */
const cached = 'public, max-age=31536000, immutable';

/** Sends the scripts, style and schema of the explorer. */
export const explorerAssets: Koa.Middleware = async (ctx, next) => {
  const name = address.exec(ctx.path)?.[1];
  if (!name || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
  const { folder, files } = await explorerFiles();
  const file = files.get(name);
  if (!file || ctx.path !== `${folder}/${name}`) return next();
  ctx.state.route = '/assets';
  await sendStaticFile(ctx, file, cached);
};
