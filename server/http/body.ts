import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { parseParameters, type Repeats } from '../../rest-facade/kernel/query.ts';
import { type HoldBytes, holdFor } from './body-budget.ts';
import { foreignEncoding, malformed, tooLong, unsupported } from './body-error.ts';
import type { FileTaking } from './form-files.ts';
import { parseJsonBody } from './json-body.ts';
import { type Form, readMultipart } from './multipart.ts';
import { readBytes } from './read-bytes.ts';

/**
 * Parameters are text people type, of a megabyte at the most; many clients write what is not ASCII in
 * JSON as `\u20ac`, six bytes for two or three.
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

/** Whether anything follows the headers. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

type Parameters = Record<string, unknown>;

/** What `readForm` gives of a form with parts is parameters like any others. */
type ReadForm = (request: IncomingMessage) => Promise<Parameters>;

/** Form, form with parts, or a JSON object, as one map; throws an error that may be told. */
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
 * The most that a body has which is taken as it comes: runner programs send four megabytes of a trace
 * at once, and a line on what they left out.
 */
const longestWhole = 5 * 2 ** 20;

/** A body that is one parameter by itself, whatever type it says it is of. */
async function readWhole(request: IncomingMessage, hold: HoldBytes): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding !== 'identity') throw foreignEncoding(encoding);
  const read = await readBytes(request, longestWhole, hold);
  if (read.isTooLong) throw tooLong(read.isDrained);
  return read.bytes;
}

/** What a service does with files that come as parts of a form. */
export interface FileReception extends Pick<FileTaking, 'receive' | 'discard'> {
  /** The parameters of an endpoint that may be files; the files of others are dropped. */
  readonly namesOf: (method: string, path: string) => ReadonlySet<string>;
  /** Bytes that the files of one request may have together. */
  readonly limit: () => number;
  /** Another taking than by these two, where a request is one that has its own. */
  readonly takingOf?: (ctx: Context) => Promise<Pick<FileTaking, 'names' | 'limit'> | null>;
  /** The parameter of an endpoint that is the body itself. */
  readonly bodyOf?: (method: string, path: string) => string | null;
  /** Bytes that the parameters of an endpoint may have, where it is not the usual. */
  readonly longestOf?: (method: string, path: string) => number | null;
}

const noFiles: FileReception = {
  namesOf: () => new Set(),
  limit: () => 0,
  receive: () => Promise.reject(new Error('no files are taken here')),
  discard: async () => undefined,
};

/**
 * Reads the parameters a body holds, in `places` only, told by how their paths begin or by their shape:
 * other parts read their own bodies. Files lie on the disk until the request has been dealt with.
 */
export const readBody =
  (
    places: readonly (string | RegExp)[] = ['/api/v4/', '/oauth/'],
    { namesOf, limit, takingOf, bodyOf, longestOf, receive, discard }: FileReception = noFiles,
    repeats: Repeats = 'last',
  ): Middleware =>
  async (ctx, next) => {
    const isOurs =
      ctx.method !== 'GET' &&
      places.some((place) =>
        typeof place === 'string' ? ctx.path.startsWith(place) : place.test(ctx.path),
      );
    if (!isOurs || !hasBody(ctx.req)) return next();
    // who leaves before anybody listens is not heard leaving
    if (ctx.req.destroyed) throw new Error('The caller left before the request was read.');
    let form: Form | null = null;
    const hold = holdFor(ctx.res);
    try {
      const readForm: ReadForm = async (request) => {
        const usual = () => ({ names: namesOf(ctx.method, ctx.path), limit: limit() });
        const taking = (await takingOf?.(ctx)) ?? usual();
        form = await readMultipart(request, longest, { ...taking, receive, discard }, hold);
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
