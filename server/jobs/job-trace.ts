import { activeTracer, inSpan } from '../../schema/kernel/tracing.ts';

/** A payload as the queue stores it, with the span of the request or job that enqueued it. */
interface Stored {
  readonly traceparent?: string;
}

/** The payload with the active span, if there is one. */
export function withTrace<Payload extends object>(payload: Payload): Payload & Stored {
  const traceparent = activeTracer()?.traceparent();
  return traceparent ? { ...payload, traceparent } : payload;
}

/** The payload as it was enqueued. */
export function payloadOf(stored: Stored): object {
  const { traceparent: _, ...payload } = stored;
  return payload;
}

interface StoredJob {
  readonly name: string;
  readonly data: Stored;
  readonly retryCount: number;
}

/** Runs an attempt of a job in a span of the trace in which it was enqueued; reports a failure there. */
export const inTraceOf = <Result>(
  { name, data, retryCount }: StoredJob,
  work: () => Promise<Result>,
  onFailure: (error: unknown) => void,
): Promise<Result> =>
  inSpan(
    {
      name: `job ${name}`,
      kind: 'consumer',
      parent: { traceparent: data.traceparent },
      attributes: { 'messaging.destination.name': name, 'millrace.job.attempt': retryCount + 1 },
    },
    async () => {
      try {
        return await work();
      } catch (error) {
        onFailure(error);
        throw error;
      }
    },
  );
