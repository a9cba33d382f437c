/** Facts about a span. Never secrets, nor values of parameters. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The headers of the W3C recommendation Trace Context, of a remote parent. */
export interface TraceContext {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

export interface SpanInput {
  /** Of few kinds, e.g. `GET /api/v4/projects/:id`. */
  readonly name: string;
  /** `server` and `consumer`: work for a client or of a queue; `client`: waits for another program. */
  readonly kind: 'server' | 'client' | 'internal' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** Omitted: the active span is the parent. Without a valid `traceparent` a trace begins. */
  readonly parent?: TraceContext;
}

/** A timed part of the work for a request or a job. */
export interface Span {
  /** 32 hex digits. */
  readonly traceId: string;
  rename(name: string): void;
  add(attributes: SpanAttributes): void;
  /** Runs `work`; spans that start in it, also after it returns a promise, are below this one. */
  run<Result>(work: () => Result): Result;
  /** Ends the span, which failed if there is an error; later calls are ignored. */
  end(error?: unknown): void;
}

/** Records spans. */
export interface Tracer {
  /** Null if no parent is given or active, as in periodic work, or if the trace is not recorded. */
  start(input: SpanInput): Span | null;
  /** The id of the active trace, or null. */
  traceId(): string | null;
  /** The active span as a `traceparent` header, or null. */
  traceparent(): string | null;
}
