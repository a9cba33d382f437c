import { type Received, receiver } from './receiver.ts';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

/** A span as OTLP in JSON has it. */
export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 2: of a server. */
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  /** 2: failed. */
  readonly status: { readonly code?: number };
}

interface DataPoint {
  readonly attributes: readonly Attribute[];
  readonly asDouble?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly bucketCounts?: readonly number[];
  readonly explicitBounds?: readonly number[];
}

interface ExportedMetric {
  readonly name: string;
  readonly [type: string]: unknown;
}

interface TraceExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

interface MetricExport {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly ExportedMetric[] }[];
  }[];
}

export interface Collector {
  readonly url: string;
  /** All requests so far. */
  readonly received: readonly Received[];
  /** The spans of a trace so far. */
  readonly trace: (id: string) => readonly ExportedSpan[];
  /** The metrics of the latest export, by name. */
  readonly metrics: () => ReadonlyMap<string, ExportedMetric>;
}

/** A collector that receives OTLP over HTTP in JSON. */
export async function collector(): Promise<Collector> {
  const { url, received } = await receiver((response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  const at = <Body>(path: string) =>
    received.filter((request) => request.path === path).map(({ body }) => body as unknown as Body);
  return {
    url,
    received,
    trace: (id) =>
      at<TraceExport>('/v1/traces')
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .filter(({ traceId }) => traceId === id),
    metrics: () =>
      new Map(
        at<MetricExport>('/v1/metrics')
          .slice(-1)
          .flatMap(({ resourceMetrics }) => resourceMetrics)
          .flatMap(({ scopeMetrics }) => scopeMetrics)
          .flatMap(({ metrics }) => metrics)
          .map((metric) => [metric.name, metric]),
      ),
  };
}

export const attributeOf = (span: ExportedSpan, name: string): string | number | undefined => {
  const value = span.attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};

/** The data points of a metric of any type. */
export const pointsOf = (metric: ExportedMetric | undefined): readonly DataPoint[] =>
  ['sum', 'gauge', 'histogram'].flatMap(
    (type) =>
      (metric?.[type] as { readonly dataPoints?: DataPoint[] } | undefined)?.dataPoints ?? [],
  );
