import cluster from 'node:cluster';
import process from 'node:process';
import { openSharedChanges, type SharedChanges } from '../accounts/shared-changes.ts';
import type { ReportHelper } from '../helpers/failures.ts';
import { type HelperLimits, helperLimits, silenceWatch } from '../helpers/silence-watch.ts';
import type { Metrics, PrimaryMessage, WorkerMessage } from './messages.ts';

/** How a worker process reaches the primary process and the other workers. */
export interface PrimaryLink {
  /** Reports that this worker listens on a port. */
  ready(port: number): void;
  /** Sets the function that collects the metrics of this worker. */
  shareMetrics(collect: () => Promise<Metrics>): void;
  /** The metrics of all workers, in the Prometheus format; null if the primary process does not answer. */
  metricsOfAll(): Promise<string | null>;
  /** Reports each time that the primary process stops to send heartbeats. */
  watchPrimary(report: ReportHelper, limits?: HelperLimits): void;
  /** The users that any worker has changed. */
  readonly userChanges: SharedChanges;
}

/** Milliseconds; the primary process waits shorter for the other workers. */
const scrapeLimit = 6_000;

/** The variable with the path of the file of `SharedChanges`. */
export const userChangesVariable = 'MILLRACE_USER_CHANGES';

/** The link of this process, with these variables, to its primary process; null unless it is a worker. */
export function primaryLink(variables: Readonly<NodeJS.ProcessEnv>): PrimaryLink | null {
  if (!cluster.worker) return null;
  // a message to a primary process that was just killed; this process ends when its channel closes
  cluster.worker.on('error', () => undefined);
  const waiting = new Map<number, (text: string) => void>();
  let count = 0;
  let heartbeats = 0;
  let onHeartbeat = () => {};
  let collect: () => Promise<Metrics> = async () => [];
  const send = (message: WorkerMessage) => process.send?.(message);
  process.on('message', (message: PrimaryMessage) => {
    heartbeats += 1;
    onHeartbeat();
    if (message.type === 'ping') send({ type: 'pong' });
    else if (message.type === 'collect') {
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
        const late = setTimeout(() => {
          waiting.delete(id);
          resolve(null);
        }, scrapeLimit);
        waiting.set(id, (text) => {
          clearTimeout(late);
          resolve(text);
        });
        send({ type: 'scrape', id });
      });
    },
    watchPrimary: (report, limits = helperLimits) => {
      const watch = silenceWatch(limits);
      const pid = process.ppid;
      const start = () => {
        onHeartbeat = () => {};
        watch.add({
          pid: () => pid,
          progress: () => heartbeats,
          onSilent: () => {
            // this process serves on: only who started the primary process can replace it
            report('primary', 'silent', { pid });
            onHeartbeat = start;
          },
        });
      };
      start();
    },
  };
}
