import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The metrics of one process, as `Registry.getMetricsAsJSON` returns them. */
export type Metrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** What a worker sends to the primary process. */
export type WorkerMessage =
  /** It listens. */
  | { readonly type: 'ready'; readonly port: number }
  /** The response to a ping. */
  | { readonly type: 'pong' }
  /** It was asked for the metrics of all workers. */
  | { readonly type: 'scrape'; readonly id: number }
  /** Its own metrics, or null if they could not be collected. */
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: Metrics | null };

/** What the primary process sends to a worker. */
export type PrimaryMessage =
  | { readonly type: 'ping' }
  | { readonly type: 'collect'; readonly id: number }
  /** The metrics of all workers, in the Prometheus format. */
  | { readonly type: 'scraped'; readonly id: number; readonly text: string };
