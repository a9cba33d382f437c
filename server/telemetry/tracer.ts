import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Context as OtelContext,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { DomainError } from '../../schema/kernel/errors.ts';
import type { Span, SpanAttributes, Tracer } from '../../schema/ports/tracing.ts';
import { programVersion } from '../../schema/settings/version.ts';
import { redactText } from '../http/redact.ts';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  consumer: SpanKind.CONSUMER,
} as const;

/** The text of a statement, whose values are parameters: redaction would hide their placeholders. */
const statement = 'db.query.text';

const redacted = (attributes: SpanAttributes): SpanAttributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' && name !== statement ? redactText(value) : value,
    ]),
  );

const propagator = new W3CTraceContextPropagator();

/** Records spans with the SDK of OpenTelemetry. */
export function otelTracer(provider: TracerProvider): Tracer {
  const tracer = provider.getTracer('millrace', programVersion);
  return {
    start: ({ name, kind, attributes = {}, parent }) => {
      const from = parent
        ? propagator.extract(ROOT_CONTEXT, parent, defaultTextMapGetter)
        : context.active();
      if (!parent && !isRecorded(from)) return null;
      const options = { kind: kinds[kind], attributes: redacted(attributes) };
      const span = tracer.startSpan(name, options, from);
      return recording(span, trace.setSpan(from, span));
    },
    traceId: () => trace.getActiveSpan()?.spanContext().traceId ?? null,
    traceparent: () => {
      const carrier: { traceparent?: string } = {};
      propagator.inject(context.active(), carrier, defaultTextMapSetter);
      return carrier.traceparent ?? null;
    },
  };
}

const isRecorded = (active: OtelContext): boolean => {
  const flags = trace.getSpanContext(active)?.traceFlags ?? TraceFlags.NONE;
  return (flags & TraceFlags.SAMPLED) !== 0;
};

function recording(span: OtelSpan, inside: OtelContext): Span {
  let hasEnded = false;
  return {
    traceId: span.spanContext().traceId,
    rename: (name) => {
      span.updateName(name);
    },
    add: (attributes) => {
      span.setAttributes(redacted(attributes));
    },
    run: (work) => context.with(inside, work),
    end: (error) => {
      if (hasEnded) return;
      hasEnded = true;
      if (error !== undefined) recordFailure(span, error);
      span.end();
    },
  };
}

/** Not its message, which may repeat values. A rejected operation did not fail. */
function recordFailure(span: OtelSpan, error: unknown): void {
  if (error instanceof DomainError) {
    span.setAttribute('error.type', error.code);
    return;
  }
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  span.setAttribute('error.type', String(code ?? name ?? typeof error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
