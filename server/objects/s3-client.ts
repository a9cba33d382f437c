import { AsyncLocalStorage } from 'node:async_hooks';
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { ObjectsUnavailable } from '../../schema/kernel/outage.ts';
import type { ObjectsConfig } from '../config-objects.ts';
import { circuitBreaker, currentWaitBudget, waitWithin } from '../scheduling/wait-budget.ts';

/** Milliseconds until a connection is open, and until the response to an attempt begins. */
const connectionTimeout = 3_000;
const requestTimeout = 12_000;
const maxAttempts = 2;

/** Milliseconds without a byte, after which a response has ended; a paused download is continued then. */
const socketTimeout = 60_000;

/** Concurrent connections of a process to the store: more than the downloads that it serves at a time. */
const maxSockets = 250;

type HttpHandler = Pick<NodeHttpHandler, 'handle'>;

/** Called after each attempt with the name of its operation, such as `PutObject`. */
export type OnRequest = (operation: string, hasSucceeded: boolean, seconds: number) => void;

/**
 * A client of the configured store. It repeats failed requests once; bodies are in memory and signed with
 * their SHA-256, which the store compares.
 */
export function s3Client(
  { endpoint, region, credentials }: ObjectsConfig,
  onRequest: OnRequest = () => {},
): S3Client {
  const http = new NodeHttpHandler({
    connectionTimeout,
    requestTimeout,
    throwOnRequestTimeout: true,
    socketTimeout,
    httpAgent: { keepAlive: true, maxSockets },
    httpsAgent: { keepAlive: true, maxSockets },
  });
  /** Of the call to which an attempt belongs: the client has no limit for all attempts and the body together. */
  const signals = new AsyncLocalStorage<AbortSignal>();
  const handle: HttpHandler['handle'] = (request, options = {}) => {
    const ends = [options.abortSignal, signals.getStore()].filter((signal) => signal !== undefined);
    return http.handle(request, {
      ...options,
      ...(ends.length > 0 && { abortSignal: AbortSignal.any(ends as AbortSignal[]) }),
    });
  };
  const client = new S3Client({
    region,
    ...(endpoint !== null && { endpoint }),
    ...(credentials && { credentials }),
    // other stores than AWS have no subdomain for each bucket
    forcePathStyle: endpoint !== null,
    // the signature covers the body; most other stores reject trailing checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts,
    // not every store responds to it, and the body is in memory anyway
    expectContinueHeader: false,
    requestHandler: { handle, destroy: () => http.destroy() },
  });
  const throughBreaker = circuitBreaker();
  client.middlewareStack.add(
    (next) => (args) =>
      throughBreaker(() =>
        waitWithin(
          currentWaitBudget(),
          (signal) => signals.run(signal, () => next(args)),
          () => ({ bytes: bodySize(args.input), isResponse: true }),
        ),
      ),
    // around all attempts
    { step: 'initialize', priority: 'high', name: 'waitWithin' },
  );
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const start = performance.now();
        const report = (hasSucceeded: boolean) =>
          onRequest(
            commandName.replace(/Command$/, ''),
            hasSucceeded,
            (performance.now() - start) / 1000,
          );
        try {
          const result = await next(args);
          report(true);
          return result;
        } catch (error) {
          // a missing object is an answer
          report(isMissing(error) || isEmptyRange(error));
          throw error;
        }
      },
    // around the attempt; a signed URL is no request
    { step: 'deserialize', priority: 'high', name: 'reportRequests' },
  );
  return client;
}

/** Bytes of a file or a part that is sent. */
const bodySize = (input: object): number =>
  'Body' in input && input.Body instanceof Uint8Array ? input.Body.length : 0;

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

/** Whether the store responded that there is no such object; a HEAD response cannot name a missing bucket. */
export const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket';

/** Whether an empty object was asked for its first bytes. */
export const isEmptyRange = (error: unknown): boolean => statusOf(error) === 416;

/** Why the store cannot be used: refused for good, or not reachable now. */
export function unavailable(error: unknown): ObjectsUnavailable {
  if (error instanceof ObjectsUnavailable) return error;
  const { name, message } = error as Error;
  const text = message && message !== name ? `${name}: ${message}` : name;
  return new ObjectsUnavailable(`the object store failed: ${text}`, { cause: error });
}

/** Whether another attempt would fail as well, such as with a wrong key. */
export const isRefusal = (error: unknown): boolean => {
  const status = statusOf(error);
  return status !== undefined && status >= 300 && status < 500 && status !== 429;
};

/** Sends commands of which every failure is one of the store. */
export const sendTo = (client: S3Client): S3Client['send'] =>
  ((command: Parameters<S3Client['send']>[0]) =>
    client.send(command).catch((error: unknown) => {
      throw unavailable(error);
    })) as S3Client['send'];
