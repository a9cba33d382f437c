import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { ExecutionResult } from 'graphql';
import type { OpenStream } from './open-streams.ts';

/**
 * The results of a subscription as `text/event-stream` (the distinct mode of the protocol
 * GraphQL over SSE): an event `next` for each, then `complete`. The next result is computed when
 * the client has taken the previous one, so a slow client holds one event.
 */
export function eventStream(
  results: AsyncIterable<ExecutionResult>,
  stream: OpenStream,
  keepAliveMs: number,
): Readable {
  const output = new PassThrough();
  const keepAlive = setInterval(() => {
    if (output.writableLength === 0) output.write(comment);
  }, keepAliveMs);
  keepAlive.unref();
  output.once('close', () => {
    clearInterval(keepAlive);
    stream.end('disconnected');
  });
  // sends the headers at once
  output.write(comment);
  write(results, stream, output).catch((error: Error) => output.destroy(error));
  return output;
}

const comment = ':\n\n';

async function write(
  results: AsyncIterable<ExecutionResult>,
  stream: OpenStream,
  output: PassThrough,
): Promise<void> {
  for await (const result of results) {
    if (output.destroyed) break;
    if (!output.write(`event: next\ndata: ${textOf(result)}\n\n`)) {
      await once(output, 'drain', { signal: stream.signal }).catch(() => {});
    }
  }
  if (output.destroyed) return;
  // without it, the client connects again
  const isComplete = stream.ended === 'finished' || stream.ended === 'unauthenticated';
  output.end(isComplete ? 'event: complete\ndata:\n\n' : undefined);
}

/** `http` in the extensions of an error is for the status of a single response. */
const textOf = ({ data, errors }: ExecutionResult): string =>
  JSON.stringify({
    ...(data !== undefined && { data }),
    ...(errors && {
      errors: errors.map((error) => {
        const { extensions: { http: _, ...extensions } = {}, ...shown } = error.toJSON();
        return { ...shown, ...(Object.keys(extensions).length > 0 && { extensions }) };
      }),
    }),
  });
