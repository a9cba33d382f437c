import type { IncomingMessage } from 'node:http';
import type { HoldBytes } from './body-budget.ts';
import { busy } from './body-error.ts';

export type Bytes =
  | { readonly bytes: Buffer; readonly isTooLong?: undefined }
  | { readonly isTooLong: true; readonly isDrained: boolean };

/** Bytes beyond the limit that are still read and discarded, so that the client gets the response. */
const patience = 16 * 2 ** 20;

/**
 * Reads a whole request body of up to `limit` bytes. Rejects when the client disconnects, and
 * with 503 when the bodies of all requests exceed their budget.
 */
export function readBytes(
  request: IncomingMessage,
  limit: number,
  hold: HoldBytes,
): Promise<Bytes> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit + patience) return Promise.resolve({ isTooLong: true, isDrained: false });

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const release = () => {
      request.removeListener('data', take).removeListener('end', end);
      request.removeListener('close', leave).removeListener('error', reject);
    };
    const settle = (result: Bytes) => {
      release();
      resolve(result);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) chunks.length = 0;
      else if (hold(chunk.length)) chunks.push(chunk);
      else {
        release();
        request.resume();
        reject(busy());
        return;
      }
      if (length > limit + patience) {
        request.resume();
        settle({ isTooLong: true, isDrained: false });
      }
    };
    const end = () =>
      settle(
        length > limit ? { isTooLong: true, isDrained: true } : { bytes: Buffer.concat(chunks) },
      );
    const leave = () => {
      // so that references to the request retain no part of its body
      release();
      reject(new Error('The caller left before the request was read.'));
    };
    request.on('data', take).on('end', end).on('close', leave).on('error', reject);
  });
}
