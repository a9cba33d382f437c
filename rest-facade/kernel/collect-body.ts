import type { Readable } from 'node:stream';
import type { Outcome } from '../../schema/client/endpoint.ts';
import type { RequestFacts } from '../../schema/client/execute.ts';
import { isContent } from './answer.ts';
import type { Receiver } from './receiver.ts';

const tooLong: Outcome = { status: 413, body: { message: '413 Request Entity Too Large' } };

/**
 * Runs `send` and reads its streamed body into memory: JSON as its value, any other type as bytes.
 * A body over `longest` bytes gives 413. Streams end with the call, or when its caller disconnects.
 */
export async function collectBody(
  send: (receiver: Receiver) => Promise<Outcome>,
  longest: number,
  { signal: disconnected, address }: RequestFacts,
): Promise<Outcome> {
  const closing = new AbortController();
  const close = () => closing.abort();
  const { signal } = closing;
  const onClose: Receiver['onClose'] = (listener) => {
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
  };
  if (disconnected?.aborted) close();
  disconnected?.addEventListener('abort', close, { once: true });
  try {
    const sent = await send({ address, redirects: 'never', signal, onClose });
    const { status, body, headers } = sent;
    if (!isContent(body)) return sent;
    if (!Buffer.isBuffer(body)) onClose(() => body.destroy());
    const bytes = await bytesOf(body, longest);
    if (!bytes) return tooLong;
    const isJson = headers?.['Content-Type']?.startsWith('application/json');
    return { status, body: isJson ? JSON.parse(bytes.toString()) : bytes };
  } finally {
    disconnected?.removeEventListener('abort', close);
    close();
  }
}

/** Null if `content` is longer than `longest` bytes. */
async function bytesOf(content: Buffer | Readable, longest: number): Promise<Buffer | null> {
  if (Buffer.isBuffer(content)) return content.length > longest ? null : content;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of content) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > longest) return null;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}
