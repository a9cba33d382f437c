import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObject } from 'prom-client';
import { helperFailures } from '../helpers/failures.ts';
import type { Metrics, PrimaryMessage, WorkerMessage } from './messages.ts';

/** Milliseconds; a scrape usually times out after ten seconds. */
const waitLimit = 4_000;

interface Scrape {
  /** Workers that have not answered. */
  readonly missing: Set<Worker>;
  readonly metrics: MetricObject[][];
  readonly finish: () => void;
}

export type Scrapes = ReturnType<typeof scrapesOf>;

/**
 * Collects the metrics of all workers, by their places, for the worker that was asked for them. Each
 * series gets the label `worker`: the counters of a replaced worker start again, and in a sum Prometheus
 * would take that for requests. What every worker reads from the database is given once.
 */
export function scrapesOf(readyWorkers: () => ReadonlyMap<Worker, number>) {
  const open = new Map<number, Scrape>();
  let count = 0;
  const send = (worker: Worker, message: PrimaryMessage) =>
    worker.isConnected() && worker.send(message, () => undefined);

  const start = (asker: Worker, askedId: number) => {
    count += 1;
    const id = count;
    const workers = readyWorkers();
    const timer = setTimeout(() => finish(), waitLimit);
    const metrics: MetricObject[][] = [];
    // of this process, without the label of a worker
    const own = helperFailures.get().then((metric) => metrics.push([metric]));
    const finish = () => {
      clearTimeout(timer);
      if (!open.delete(id)) return;
      own
        .then(() => AggregatorRegistry.aggregate(metrics).metrics())
        .then((text) => send(asker, { type: 'scraped', id: askedId, text }));
    };
    open.set(id, { missing: new Set(workers.keys()), metrics, finish });
    for (const worker of workers.keys()) send(worker, { type: 'collect', id });
  };

  return {
    /** Handles a message of a worker that concerns metrics. */
    handle: (worker: Worker, message: WorkerMessage): void => {
      if (message.type === 'scrape') start(worker, message.id);
      if (message.type !== 'metrics') return;
      const scrape = open.get(message.id);
      if (!scrape?.missing.delete(worker)) return;
      if (message.metrics)
        scrape.metrics.push(labelled(message.metrics, readyWorkers().get(worker)));
      if (scrape.missing.size === 0) scrape.finish();
    },
    /** Stops waiting for a worker that has exited. */
    forget: (worker: Worker): void => {
      for (const { missing, finish } of open.values()) {
        if (missing.delete(worker) && missing.size === 0) finish();
      }
    },
  };
}

/** Adds the label of the worker to all metrics but those of the database, of which one is kept. */
const labelled = (metrics: Metrics, place: number | undefined): MetricObject[] =>
  metrics.map((metric) => {
    if (metric.aggregator === 'first') return metric;
    const values = metric.values.map((value) => ({
      ...value,
      labels: { ...value.labels, worker: String(place) },
    }));
    return { ...metric, aggregator: 'sum', values };
  });
