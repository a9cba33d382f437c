import type { IncomingMessage } from 'node:http';

export type Bytes =
  | { readonly bytes: Buffer; readonly isTooLong?: undefined }
  | { readonly isTooLong: true; readonly isDrained: boolean };

/** Beyond the limit this much is still read and dropped, so that the answer reaches the caller. */
const patience = 16 * 2 ** 20;

/** All of a request's body, unless it is longer than `limit`; rejects when the caller leaves. */
export function readBytes(request: IncomingMessage, limit: number): Promise<Bytes> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit + patience) return Promise.resolve({ isTooLong: true, isDrained: false });

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (result: Bytes) => {
      request.removeListener('data', take).removeListener('end', end);
      request.removeListener('close', leave).removeListener('error', reject);
      resolve(result);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (length > limit + patience) {
        request.resume();
        settle({ isTooLong: true, isDrained: false });
      }
    };
    const end = () =>
      settle(
        length > limit ? { isTooLong: true, isDrained: true } : { bytes: Buffer.concat(chunks) },
      );
    const leave = () => reject(new Error('The caller left before the request was read.'));
    request.on('data', take).on('end', end).on('close', leave).on('error', reject);
  });
}
