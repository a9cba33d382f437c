import type { Span, SpanInput, Tracer } from '../ports/tracing.ts';

let current: Tracer | null = null;

/** Sets the tracer of this process; null, as at first, records nothing. */
export function useTracer(tracer: Tracer | null): void {
  current = tracer;
}

/**
 * The tracer of this process, or null. It is not part of the context because what it observes, such as git
 * processes and log lines, has none.
 */
export const activeTracer = (): Tracer | null => current;

/** Runs `work` in a span that ends with it. */
export async function inSpan<Result>(
  input: SpanInput,
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  const span = current?.start(input) ?? null;
  if (!span) return work(null);
  try {
    const result = await span.run(() => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
