import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';
import { packageFile } from '../http/package-file.ts';
import { type PageFile, staticPage } from '../http/static-page.ts';
import { apiDocsPage } from './page.ts';

/** Scripts and styles come from our own host only. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const modules = ['main.js', 'session.js', 'plugin.js', 'accessible-names.js'];

const textOf = (name: string) => readFile(new URL(`client/${name}`, import.meta.url), 'utf8');

async function readFiles(): Promise<readonly PageFile[]> {
  const [library, libraryStyle, style, ...programs] = await Promise.all([
    packageFile('swagger-ui-dist', 'swagger-ui-bundle.js'),
    packageFile('swagger-ui-dist', 'swagger-ui.css'),
    textOf('style.css'),
    ...modules.map(textOf),
  ]);
  const script = 'text/javascript';
  return [
    ['swagger-ui.js', script, library],
    ['style.css', 'text/css', `${libraryStyle}\n${style}`],
    ...modules.map((name, place) => [name, script, programs[place] ?? ''] as const),
  ];
}

const { sendPage, sendFiles } = staticPage({
  name: 'api-docs',
  policy,
  readFiles,
  documentOf: (folder) => apiDocsPage(folder, modules),
});

/** Sends the files of the page. */
export const apiDocsAssets: Middleware = sendFiles;

/** `GET /api/docs`: the OpenAPI document as a page, for every user. */
export const apiDocs: Middleware = (ctx, next) => {
  if (ctx.path !== '/api/docs' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
  ctx.state.route = '/api/docs';
  return sendPage(ctx);
};
