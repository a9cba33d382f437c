import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import busboy from 'busboy';
import type { HoldBytes } from './body-budget.ts';
import { busy, malformed, tooLong } from './body-error.ts';
import { excess, type FileTaking, type FormFiles, formFiles } from './form-files.ts';

const mostParts = 1000;

/** Bytes of discarded parts that are still read, so that the client receives the response. */
const suffered = 64 * 2 ** 20;

export interface Form {
  /** The text fields, URL-encoded. */
  readonly text: string;
  readonly files: FormFiles;
}

/**
 * Reads a multipart form, whose text fields are limited to `longestText` together. Expected files
 * are stored while they arrive, all others are discarded. If it throws, it leaves no files.
 */
export async function readMultipart(
  request: IncomingMessage,
  longestText: number,
  taking: FileTaking,
  hold: HoldBytes,
): Promise<Form> {
  const most = longestText + taking.limit + suffered;
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLong(false);
  const files = formFiles(taking);
  const left = { bytes: most };
  try {
    return { text: await readParts(request, { longestText, files, left, hold }), files };
  } catch (error) {
    await files.discard();
    throw error === excess ? tooLong(await isDrained(request, left.bytes)) : error;
  }
}

interface PartsReading {
  readonly longestText: number;
  readonly files: FormFiles;
  /** The remaining budgets. */
  readonly left: { bytes: number };
  readonly hold: HoldBytes;
}

/** Returns the text fields once all files are stored; throws `excess` beyond the limits. */
async function readParts(
  request: IncomingMessage,
  { longestText, files, left, hold }: PartsReading,
): Promise<string> {
  const parser = parserOf(request, longestText);
  const pairs: string[] = [];
  const writing: Promise<void>[] = [];
  let failure: Error | null = null;
  let texts = 0;
  const stop = (error: Error) => {
    failure ??= error;
    parser.destroy(error);
  };

  // handled below; a later error has no listener
  parser.on('error', () => undefined);
  parser.on('partsLimit', () => stop(excess));
  parser.on('field', (name: string | undefined, value, { nameTruncated, valueTruncated }) => {
    if (parser.destroyed || name === undefined) return;
    texts += name.length + value.length;
    if (nameTruncated || valueTruncated || texts > longestText) return stop(excess);
    // the decoder replaces invalid UTF-8 with this character
    if (`${name}${value}`.includes('\ufffd')) return stop(malformed());
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  });
  let isInFile = false;
  parser.on('file', (parameter, content, { filename }) => {
    isInFile = true;
    content.once('close', () => {
      isInFile = false;
    });
    content.on('error', () => undefined);
    if (!parser.destroyed) writing.push(files.take(parameter, filename, content).catch(stop));
  });

  const count = (chunk: Buffer) => {
    left.bytes -= chunk.length;
    if (left.bytes < 0) stop(excess);
    // files are streamed; other parts are buffered
    else if (!isInFile && !hold(chunk.length)) stop(busy());
  };
  const leave = () => {
    if (!request.complete) stop(new Error('The caller left before the request was read.'));
  };
  request.on('data', count).on('close', leave);
  await finished(request.pipe(parser)).catch(() => {
    failure ??= malformed();
  });
  request.unpipe(parser).removeListener('data', count).removeListener('close', leave);
  request.resume();
  await Promise.all(writing);
  if (failure) throw failure;
  return pairs.join('&');
}

/** Discards the rest of the body; returns whether it ended within `most` bytes. */
function isDrained(request: IncomingMessage, most: number): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return Promise.resolve(request.readableEnded);
  return new Promise((resolve) => {
    let read = 0;
    request.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > most) resolve(false);
    });
    request.once('end', () => resolve(true)).once('close', () => resolve(false));
  });
}

function parserOf(request: IncomingMessage, limit: number) {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { fieldNameSize: 1000, fieldSize: limit, parts: mostParts },
    });
  } catch {
    request.resume();
    throw malformed();
  }
}
