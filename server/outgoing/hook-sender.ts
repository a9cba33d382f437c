import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { HookMessage, HookResponse, HookSender } from '../../schema/ports/hook-sender.ts';
import { type Destination, destinationOf, OutgoingRefused, urlFault } from './destination.ts';

const ports: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
]);

/** For the whole delivery: name lookup, connection and response. */
const responseTimeoutMs = 10_000;

const maxResponseBytes = 64 * 1024;

/** Posts to the checked address only. */
export function hookSender(allowsLocal: boolean): HookSender {
  const rules = { ports, allowsLocal };
  return {
    fault: (url) => urlFault(url, rules),
    send: async (message, stopped) => {
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(responseTimeoutMs)]);
      try {
        const destination = await beforeAbort(destinationOf(message.url, rules), signal);
        const response = await post(destination, message, signal);
        const status = response.statusCode ?? 0;
        return { outcome: 'answered', status, body: await beginningOf(response) };
      } catch (error) {
        return failure(error, signal);
      }
    },
  };
}

function post(
  { url, address, port }: Destination,
  { username, password, headers, body, verifiesSsl }: HookMessage,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isSecure = url.protocol === 'https:';
  const pinned: LookupFunction = (_host, { all }, callback) => {
    const family = address.includes(':') ? 6 : 4;
    if (all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  const sent = (isSecure ? requestSecure : requestPlain)(url, {
    method: 'POST',
    port,
    lookup: pinned,
    // a new connection for each request, so that no earlier request affects it
    agent: false,
    signal,
    ...(isSecure && { rejectUnauthorized: verifiesSsl }),
    ...(username + password !== '' && { auth: `${username}:${password}` }),
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' },
  });
  sent.on('response', resolve);
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** Ends with the response's beginning, its end, an error or a timeout: the status is already known. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxResponseBytes) break;
    }
  } catch {
    // keep what was received
  }
  response.destroy();
  return Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8');
}

function failure(error: unknown, signal: AbortSignal): HookResponse {
  if (error instanceof OutgoingRefused) {
    return { outcome: 'failed', error: error.message, isPassing: error.isPassing };
  }
  if (signal.aborted) {
    return { outcome: 'failed', error: 'There was no answer in time', isPassing: true };
  }
  const { code } = error as NodeJS.ErrnoException;
  // not its message, which may contain the URL
  return { outcome: 'failed', error: `The request failed: ${code ?? 'unknown'}`, isPassing: true };
}

async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', end));
}
