import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { malformed, tooLong } from './body-error.ts';

const mostParts = 1000;
/** Files are dropped as they come; this much of them is suffered. */
const longestFiles = 64 * 2 ** 20;

/** The text fields of a form with parts, as a query text; files are read and dropped. */
export function readMultipart(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const pairs: string[] = [];
    let text = 0;
    let read = 0;

    const stop = (error: Error) => {
      request.unpipe(parser).removeListener('data', count).removeListener('close', leave);
      request.resume();
      reject(error);
    };
    const count = (chunk: Buffer) => {
      read += chunk.length;
      if (read > limit + longestFiles) stop(tooLong(false));
    };
    const leave = () => stop(new Error('The caller left before the request was read.'));

    const parser = parserOf(request, limit);
    parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
      text += name.length + value.length;
      if (nameTruncated || valueTruncated || text > limit) return stop(tooLong(false));
      // what was no UTF-8 has been replaced by this character
      if (`${name}${value}`.includes('\ufffd')) return stop(malformed());
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    });
    parser.on('file', (_name, file) => void file.on('error', () => undefined).resume());
    parser.on('partsLimit', () => stop(tooLong(false)));
    parser.on('error', () => stop(malformed()));
    parser.on('close', () => {
      request.removeListener('close', leave);
      resolve(pairs.join('&'));
    });
    request.on('data', count).on('close', leave).pipe(parser);
  });
}

function parserOf(request: IncomingMessage, limit: number) {
  try {
    return busboy({
      headers: request.headers,
      limits: { fieldNameSize: 1000, fieldSize: limit, parts: mostParts },
    });
  } catch {
    request.resume();
    throw malformed();
  }
}
