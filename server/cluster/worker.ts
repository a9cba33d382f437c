import cluster from 'node:cluster';
import process from 'node:process';
import { openSharedChanges, type SharedChanges } from '../accounts/shared-changes.ts';
import type { Metrics, PrimaryMessage, WorkerMessage } from './messages.ts';

/** How a worker process reaches the primary process and the other workers. */
export interface PrimaryLink {
  /** Reports that this worker listens on a port. */
  ready(port: number): void;
  /** Sets the function that collects the metrics of this worker. */
  shareMetrics(collect: () => Promise<Metrics>): void;
  /** The metrics of all workers, in the Prometheus format. */
  metricsOfAll(): Promise<string>;
  /** The users that any worker has changed. */
  readonly userChanges: SharedChanges;
}

/** The variable with the path of the file of `SharedChanges`. */
export const userChangesVariable = 'MILLRACE_USER_CHANGES';

/** The link of this process, with these variables, to its primary process; null unless it is a worker. */
export function primaryLink(variables: Readonly<NodeJS.ProcessEnv>): PrimaryLink | null {
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
    userChanges: openSharedChanges(variables[userChangesVariable] ?? ''),
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
