import type Koa from 'koa';
import { staticPage } from '../http/static-page.ts';
import { modules, readFiles } from './files.ts';
import { explorerPage } from './page.ts';

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

const { sendPage, sendFiles } = staticPage({
  name: 'explorer',
  policy,
  readFiles,
  documentOf: (folder) => explorerPage(folder, [...modules, 'data.js']),
});

/** Sends the page of the explorer. It is the same for all users, and revalidated at each visit. */
export function sendExplorer(ctx: Koa.Context): Promise<void> {
  ctx.vary('Accept');
  return sendPage(ctx);
}

/** Sends the scripts, style and schema of the explorer. */
export const explorerAssets: Koa.Middleware = sendFiles;
