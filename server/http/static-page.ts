import { createHash } from 'node:crypto';
import type Koa from 'koa';
import { type StaticFile, sendStaticFile, staticFile } from './static-file.ts';

/** A file of a page: its name, media type and text. */
export type PageFile = readonly [name: string, type: string, text: string];

interface StaticPageOptions {
  /** The first part of the name of its folder in `/assets`. */
  readonly name: string;
  /** The header `Content-Security-Policy` of the page. */
  readonly policy: string;
  /** Reads the files at the first visit. */
  readonly readFiles: () => Promise<readonly PageFile[]>;
  /** The HTML document; `folder` is the path of the files without the first slash. */
  readonly documentOf: (folder: string) => string;
}

interface PageFiles {
  /** The path of the folder, which changes with the content of any file. */
  readonly folder: string;
  readonly page: StaticFile;
  readonly files: ReadonlyMap<string, StaticFile>;
}

const hashOf = (texts: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('base64url');
};

async function readPage({ name, readFiles, documentOf }: StaticPageOptions): Promise<PageFiles> {
  const contents = await readFiles();
  const tag = hashOf(contents.map(([, , text]) => text));
  const folder = `/assets/${name}-${tag.slice(0, 16)}`;
  const page = documentOf(folder.slice(1));
  return {
    folder,
    page: staticFile('text/html', page, hashOf([page])),
    files: new Map(contents.map(([name, type, text]) => [name, staticFile(type, text, tag)])),
  };
}

/** A year: the address changes with the content. */
const cached = 'public, max-age=31536000, immutable';

/**
 * A page with a program of its own, the same for all users. Its files are in a folder whose address
 * changes with their content.
 */
export function staticPage(options: StaticPageOptions) {
  let reading: Promise<PageFiles> | null = null;
  const read = () => {
    reading ??= readPage(options).catch((error: unknown) => {
      // a failure is not cached
      reading = null;
      throw error;
    });
    return reading;
  };
  const prefix = `/assets/${options.name}-`;
  /** Sends the page, which browsers revalidate at each visit. */
  const sendPage = async (ctx: Koa.Context): Promise<void> => {
    const { page } = await read();
    ctx.set('Content-Security-Policy', options.policy);
    await sendStaticFile(ctx, page, 'public, no-cache');
  };
  /** Sends the files of the page. */
  const sendFiles: Koa.Middleware = async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || !ctx.path.startsWith(prefix)) return next();
    const { folder, files } = await read();
    const isCurrent = ctx.path.startsWith(`${folder}/`);
    const file = isCurrent ? files.get(ctx.path.slice(folder.length + 1)) : undefined;
    if (!file) return next();
    ctx.state.route = '/assets';
    await sendStaticFile(ctx, file, cached);
  };
  return { sendPage, sendFiles };
}
