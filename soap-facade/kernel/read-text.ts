import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import type { Context } from 'koa';
import { busyFault, clientFault } from './faults.ts';

/** Bytes of a message, also decompressed. */
const longest = 2 ** 20;

/** Bytes beyond the limit that are still read and discarded, so that the client gets the response. */
const mostDiscarded = 32 * 2 ** 20;

const unpackers = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
]);

const charsets = /^(?:utf-?8|us-ascii|iso-8859-1|windows-1252|utf-16(?:le|be)?)$/i;

const tooLong = () => clientFault('Request too large', 413);

/** The whole body; throws a fault if it is too long. */
async function bytesOf(
  request: IncomingMessage,
  hold: (bytes: number) => boolean,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (Number(request.headers['content-length'] ?? 0) > longest + mostDiscarded) throw tooLong();
  let length = 0;
  // keep the socket open, so that the client receives the fault
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += (chunk as Buffer).length;
    if (length <= longest) {
      if (!hold((chunk as Buffer).length)) throw busyFault();
      chunks.push(chunk as Buffer);
    }
    if (length > longest + mostDiscarded) break;
  }
  if (length > longest) throw tooLong();
  return Buffer.concat(chunks);
}

async function unpacked(bytes: Buffer, encoding: string): Promise<Buffer> {
  if (encoding === '' || encoding === 'identity') return bytes;
  const unpack = unpackers.get(encoding);
  if (!unpack) throw clientFault('Unsupported content encoding', 415);
  try {
    return await unpack(bytes, { maxOutputLength: longest });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ERR_BUFFER_TOO_LARGE' ? tooLong() : clientFault('Bad Request');
  }
}

/** From the header, or the XML declaration, or UTF-8. */
function charsetOf(contentType: string, bytes: Buffer): string {
  const header = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1];
  if (header) return header;
  const start = bytes.subarray(0, 200).toString('latin1');
  return /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w-]+)/.exec(start)?.[1] ?? 'utf-8';
}

/** The text of a message; throws for other media types or encodings, and above one megabyte. */
export async function readText(ctx: Context, hold: (bytes: number) => boolean): Promise<string> {
  // SOAP 1.2 has another media type and is not supported
  if (!ctx.is('text/xml', 'application/xml')) throw clientFault('Unsupported content type', 415);
  const encoding = ctx.get('Content-Encoding').trim().toLowerCase();
  const bytes = await unpacked(await bytesOf(ctx.req, hold), encoding);
  const charset = charsetOf(ctx.get('Content-Type'), bytes);
  if (!charsets.test(charset)) throw clientFault('Unsupported charset', 415);
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw clientFault('Bad Request');
  }
}
