import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { Outcome } from '../../schema/client/endpoint.ts';

/** Bytes of a file that decide whether it is text, as in git. */
const looked = 8000;

interface RawFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

const fileHeaders = {
  'Content-Disposition': 'The name of the file, and whether a browser shows it.',
  'Content-Security-Policy': 'Keeps browsers from running the file.',
};

/** What OpenAPI says of `rawResponse`. */
export const rawContent = {
  content: ['text/plain', 'application/octet-stream'],
  responseHeaders: fileHeaders,
} as const;

/** What OpenAPI says of `attachmentResponse`. */
export const attachmentContent = {
  content: ['application/octet-stream'],
  responseHeaders: fileHeaders,
} as const;

/** A file as a response: its headers keep a browser from guessing its type or running it in our origin. */
export interface FileResponse extends Outcome {
  readonly body: Buffer | Readable;
  readonly headers: Readonly<Record<string, string>>;
}

/** Text as `text/plain`, other content as a download. */
export async function rawResponse(
  content: Buffer | Readable,
  file: RawFile,
): Promise<FileResponse> {
  const start = Buffer.isBuffer(content) ? content : await firstPart(content);
  const seen = start.subarray(0, looked);
  const charset = charsetOf(seen, seen.length < file.size);
  return charset ? textResponse(content, file, charset) : attachmentResponse(content, file);
}

/** Text to show in the browser. */
export const textResponse = (
  content: Buffer | Readable,
  file: RawFile,
  charset = 'utf-8',
): FileResponse =>
  fileResponse(content, file, { type: `text/plain; charset=${charset}`, shown: 'inline' });

/** A download. */
export const attachmentResponse = (content: Buffer | Readable, file: RawFile): FileResponse =>
  fileResponse(content, file, { type: 'application/octet-stream', shown: 'attachment' });

const fileResponse = (
  content: Buffer | Readable,
  { name, size }: RawFile,
  { type, shown }: { readonly type: string; readonly shown: 'inline' | 'attachment' },
): FileResponse => ({
  status: 200,
  headers: {
    'Content-Type': type,
    'Content-Disposition': disposition(shown, name),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Content-Length': String(size),
  },
  body: content,
});

/** Plain names in quotes, as in v4; others by RFC 6266. */
const disposition = (type: 'inline' | 'attachment', name: string) =>
  /^[\w .+-]+$/.test(name) ? `${type}; filename="${name}"` : contentDisposition(name, { type });

/** Sends the client to another server for the file, by a URL that expires. */
export const redirectResponse = (url: string): FileResponse => ({
  status: 302,
  headers: { Location: url, 'Cache-Control': 'private, no-store' },
  body: Buffer.alloc(0),
});

/** The first bytes of a stream, without consuming them. */
export async function firstPart(stream: Readable): Promise<Buffer> {
  if (stream.readableLength === 0 && !stream.readableEnded) await once(stream, 'readable');
  const chunk: Buffer | null = stream.read();
  if (!chunk) return Buffer.alloc(0);
  stream.unshift(chunk);
  return chunk;
}

/** By git's rule, content without NUL is text. Null for binary content. */
function charsetOf(start: Buffer, isCut: boolean): 'utf-8' | 'iso-8859-1' | null {
  if (start.includes(0)) return null;
  return isUtf8(start, isCut) ? 'utf-8' : 'iso-8859-1';
}

/** The last character of a partial read may be incomplete. */
function isUtf8(start: Buffer, isCut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}
