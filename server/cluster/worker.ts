import cluster from 'node:cluster';
import process from 'node:process';
import type { Metrics, PrimaryMessage, WorkerMessage } from './messages.ts';

/** How a worker process reaches the primary process. */
export interface PrimaryLink {
  /** Reports that this worker listens on a port. */
  ready(port: number): void;
  /** Sets the function that collects the metrics of this worker. */
  shareMetrics(collect: () => Promise<Metrics>): void;
  /** The metrics of all workers, in the Prometheus format. */
  metricsOfAll(): Promise<string>;
}

/** The link of this process to its primary process; null unless it is a worker. */
export function primaryLink(): PrimaryLink | null {
  if (!cluster.isWorker) return null;
  const waiting = new Map<number, (text: string) => void>();
  let count = 0;
  let collect: () => Promise<Metrics> = async () => [];
  const send = (message: WorkerMessage) => process.send?.(message);
  process.on('message', (message: PrimaryMessage) => {
    if (message.type === 'collect') {
      const { id } = message;
      const answer = (metrics: Metrics | null) => send({ type: 'metrics', id, metrics });
      collect().then(answer, () => answer(null));
    } else if (message.type === 'scraped') {
      waiting.get(message.id)?.(message.text);
      waiting.delete(message.id);
    }
  });
  return {
    ready: (port) => send({ type: 'ready', port }),
    shareMetrics: (collectOwn) => {
      collect = collectOwn;
    },
    metricsOfAll: () => {
      count += 1;
      const id = count;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        send({ type: 'scrape', id });
      });
    },
  };
}
