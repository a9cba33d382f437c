import { setTimeout as delay } from 'node:timers/promises';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Registry } from 'prom-client';
import { useTracer } from '../../schema/kernel/tracing.ts';
import { programVersion } from '../../schema/settings/version.ts';
import type { TelemetryConfig } from '../config-telemetry.ts';
import type { Logger } from '../log.ts';
import { registryProducer } from './metrics.ts';
import { otelTracer } from './tracer.ts';

export interface Telemetry {
  /** Exports the metrics of these registries at intervals. */
  exportMetrics(registries: readonly Registry[]): void;
  /** Exports what is pending, if the collector answers soon, and records nothing more. */
  stop(): Promise<void>;
}

/** Milliseconds that the last export may delay the end of the process. */
const lastExportTime = 2_000;

/** Milliseconds in which one failed export is logged. */
const quietTime = 60_000;

const maxAttributeCharacters = 4_096;

/**
 * Exports traces and metrics by OTLP over HTTP. This module is imported only if an endpoint is
 * configured. Spans wait in a bounded queue: those that an unreachable collector does not take are
 * dropped, and no request waits for it.
 */
export function startTelemetry(config: TelemetryConfig, log: Logger): Telemetry {
  const { endpoint, sampledShare, metricInterval } = config;
  const ours = { 'service.name': 'millrace', 'service.version': programVersion };
  const resource = defaultResource()
    .merge(resourceFromAttributes(ours))
    .merge(detectResources({ detectors: [envDetector] }));
  setGlobalErrorHandler(exportFailures(log));
  const contextManager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contextManager);
  const tracerProvider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    spanLimits: { attributeValueLengthLimit: maxAttributeCharacters },
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) }),
    ],
  });
  let meterProvider: MeterProvider | null = null;
  useTracer(otelTracer(tracerProvider));
  return {
    exportMetrics: (registries) => {
      const reader = new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }),
        exportIntervalMillis: metricInterval,
        exportTimeoutMillis: Math.min(metricInterval, 30_000),
        metricProducers: [registryProducer(registries)],
      });
      meterProvider = new MeterProvider({ resource, readers: [reader] });
    },
    stop: async () => {
      useTracer(null);
      const exports = Promise.allSettled([tracerProvider.shutdown(), meterProvider?.shutdown()]);
      await Promise.race([exports, delay(lastExportTime, undefined, { ref: false })]);
      context.disable();
    },
  };
}

/** Logs the first failure in a minute: each batch of an unreachable collector fails. */
function exportFailures(log: Logger): (error: unknown) => void {
  let quietUntil = 0;
  return (error) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + quietTime;
    log.warn({ err: error }, 'traces or metrics could not be exported');
  };
}
