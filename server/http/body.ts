import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { parseParameters, type Repeats } from '../../rest-facade/kernel/query.ts';
import { type HoldBytes, holdFor } from './body-budget.ts';
import { foreignEncoding, malformed, tooLong, unsupported } from './body-error.ts';
import type { FileNames, FileTaking } from './form-files.ts';
import { graphqlFileNames, operationOfForm } from './graphql-form.ts';
import { parseJsonBody } from './json-body.ts';
import { type Form, readMultipart } from './multipart.ts';
import { readBytes } from './read-bytes.ts';
import type { ReserveUpload } from './upload-places.ts';

/**
 * Bytes. Parameters are typed text of at most a megabyte, but many clients escape non-ASCII text in
 * JSON as `\u20ac`: six bytes for two or three.
 */
const longest = 4 * 2 ** 20;
const form = 'application/x-www-form-urlencoded';

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed();
  }
}

async function readText(request: IncomingMessage, limit: number, hold: HoldBytes): Promise<string> {
  const read = await readBytes(request, limit, hold);
  if (read.isTooLong) throw tooLong(read.isDrained);
  return textOf(read.bytes);
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

type Parameters = Record<string, unknown>;

/** Reads a multipart form into parameters. */
type ReadForm = (request: IncomingMessage) => Promise<Parameters>;

/** The parameters of a URL-encoded form, a multipart form or a JSON object; throws a refusal. */
async function readParameters(
  request: IncomingMessage,
  readForm: ReadForm,
  repeats: Repeats,
  limit: number,
  hold: HoldBytes,
): Promise<Parameters> {
  const { 'content-type': header = form, 'content-encoding': encoding = 'identity' } =
    request.headers;
  const [type = '', ...attributes] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = attributes.find((part) => part.startsWith('charset='))?.slice(8) ?? 'utf-8';

  if (encoding !== 'identity') {
    throw foreignEncoding(encoding);
  }
  if (type === 'multipart/form-data') return readForm(request);
  const isJson = type === 'application/json' || /^application\/.+\+json$/.test(type);
  if (!isJson && type !== form) throw unsupported(type);
  if (!/^"?(?:utf-?8|us-ascii)"?$/.test(charset)) throw unsupported(header);
  const text = await readText(request, limit, hold);
  if (!isJson) return parseParameters(text, repeats);
  return text.trim() === '' ? {} : parseJsonBody(text);
}

/**
 * Bytes of a body that is one parameter: runner programs send four megabytes of a trace at once, and
 * a line about the rest.
 */
const longestWhole = 5 * 2 ** 20;

/** A body that is one parameter, of any media type. */
async function readWhole(request: IncomingMessage, hold: HoldBytes): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding !== 'identity') throw foreignEncoding(encoding);
  const read = await readBytes(request, longestWhole, hold);
  if (read.isTooLong) throw tooLong(read.isDrained);
  return read.bytes;
}

/** How files in multipart forms are received. */
export interface FileReception extends Pick<FileTaking, 'receive' | 'discard'> {
  /** The parameters of an endpoint that may be files; other files are discarded. */
  readonly namesOf: (method: string, path: string) => FileNames;
  /** The limit in bytes on all files of one request. */
  readonly limit: () => number;
  /** Overrides `namesOf` and `limit` for a request; null keeps them. */
  readonly takingOf?: (ctx: Context) => Promise<Pick<FileTaking, 'names' | 'limit'> | null>;
  /** The parameter of an endpoint that is the whole body. */
  readonly bodyOf?: (method: string, path: string) => string | null;
  /** The limit in bytes on the parameters of an endpoint; null for the default. */
  readonly longestOf?: (method: string, path: string) => number | null;
  /** Reserves a place for the files of a request, before they are received. */
  readonly reserve?: ReserveUpload;
  /** Bodies of requests that no endpoint answers are not read: they may be of any media type. */
  readonly isServed?: (method: string, path: string) => boolean;
}

const noFiles: FileReception = {
  namesOf: () => new Set(),
  limit: () => 0,
  receive: () => Promise.reject(new Error('no files are taken here')),
  discard: async () => undefined,
};

/**
 * Reads the parameters in request bodies, for the path prefixes and patterns in `places` only: other
 * parts read their own bodies. Files stay on disk until the request has been handled.
 */
export const readBody =
  (
    places: readonly (string | RegExp)[] = ['/api/v4/', '/oauth/'],
    files: FileReception = noFiles,
    repeats: Repeats = 'last',
  ): Middleware =>
  async (ctx, next) => {
    const { namesOf, limit, takingOf, bodyOf, longestOf, isServed } = files;
    const { receive, discard, reserve } = files;
    const isOurs =
      ctx.method !== 'GET' &&
      places.some((place) =>
        typeof place === 'string' ? ctx.path.startsWith(place) : place.test(ctx.path),
      );
    if (!isOurs || !hasBody(ctx.req)) return next();
    if (isServed && !isServed(ctx.method, ctx.path)) return next();
    // a close event before the listener is attached would be missed
    if (ctx.req.destroyed) throw new Error('The caller left before the request was read.');
    let form: Form | null = null;
    const hold = holdFor(ctx.res);
    try {
      const readForm: ReadForm = async (request) => {
        const isGraphql = ctx.path === '/graphql';
        const usual = () => ({
          names: isGraphql ? graphqlFileNames : namesOf(ctx.method, ctx.path),
          isUnique: isGraphql,
          limit: limit(),
        });
        const taking = (await takingOf?.(ctx)) ?? usual();
        reserve?.(ctx.res);
        form = await readMultipart(request, longest, { ...taking, receive, discard }, hold);
        if (isGraphql) return operationOfForm(form.text, form.files.named());
        return Object.assign(parseParameters(form.text, repeats), form.files.named());
      };
      const name = bodyOf?.(ctx.method, ctx.path) ?? null;
      ctx.request.body =
        name === null
          ? await readParameters(
              ctx.req,
              readForm,
              repeats,
              longestOf?.(ctx.method, ctx.path) ?? longest,
              hold,
            )
          : { [name]: await readWhole(ctx.req, hold) };
      await next();
    } finally {
      await (form as Form | null)?.files.discard();
    }
  };
