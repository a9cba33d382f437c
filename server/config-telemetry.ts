import { z } from 'zod';
import { trimEnd } from '../schema/kernel/trim.ts';

const isHttp = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** Standard variables of OpenTelemetry. The exporters themselves read those with headers and certificates. */
export const telemetryVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(isHttp, { error: 'an http:// or https:// URL' })
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'a share from 0 to 1' })
    .min(0, { error: 'a share from 0 to 1' })
    .max(1, { error: 'a share from 0 to 1' })
    .default(1),
  OTEL_METRIC_EXPORT_INTERVAL: z.coerce
    .number({ error: 'milliseconds, at least 1000' })
    .int({ error: 'milliseconds, at least 1000' })
    .min(1_000, { error: 'milliseconds, at least 1000' })
    .max(3_600_000, { error: 'milliseconds, at most 3600000' })
    .default(60_000),
};

export interface TelemetryConfig {
  /** Base URL of the collector, without a trailing slash. */
  readonly endpoint: string;
  /** The share of the traces that begin here which is recorded, from 0 to 1. */
  readonly sampledShare: number;
  /** Milliseconds between exports of metrics. */
  readonly metricInterval: number;
}

/** Where traces and metrics are exported to; null: nowhere. */
export function telemetryOf(
  given: z.output<z.ZodObject<typeof telemetryVariables>>,
): TelemetryConfig | null {
  const endpoint = given.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return null;
  return {
    endpoint: trimEnd(endpoint, /\//),
    sampledShare: given.OTEL_TRACES_SAMPLER_ARG,
    metricInterval: given.OTEL_METRIC_EXPORT_INTERVAL,
  };
}
