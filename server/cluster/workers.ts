import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { helperReports } from '../helpers/failures.ts';
import { watchHeartbeat } from '../helpers/heartbeat.ts';
import type { HelperLimits } from '../helpers/silence-watch.ts';
import type { Logger } from '../log.ts';
import type { PrimaryMessage, WorkerMessage } from './messages.ts';
import { scrapesOf } from './scrapes.ts';

/** Milliseconds before a worker that exited early is started again; the pause doubles. */
const shortestPause = 1_000;
const longestPause = 60_000;

/** A worker that ran longer, in milliseconds, is replaced at once. */
const ranWell = 30_000;

interface WorkersOptions {
  readonly count: number;
  /** Environment variables of a worker in addition to those of this process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly limits?: HelperLimits | undefined;
}

/** The worker processes of this primary process. */
export interface Workers {
  /** Starts them and resolves with their port once all listen; rejects when one exits before. */
  start(): Promise<number>;
  /** Ends them, and kills what has not ended after `limit` milliseconds. */
  stop(limit: number): Promise<void>;
}

/**
 * Worker processes that listen on one port, numbered from 1. A worker that exits or does not answer is replaced.
 *
 * Each has a socket of its own, among which the kernel distributes the connections: `node:cluster` would
 * accept them in this process, and keep one open without an answer if its worker is killed meanwhile.
 */
export function workerProcesses({ count, variables, log, limits }: WorkersOptions): Workers {
  const running = new Set<Worker>();
  /** Workers that listen, with their places. */
  const ready = new Map<Worker, number>();
  const stopping = new AbortController();
  const supervised: Promise<void>[] = [];
  const scrapes = scrapesOf(() => ready);
  const report = helperReports(log);

  /** Set by the first worker, which may let the system choose. */
  let sharedPort: number | null = null;

  /** Starts a worker; `listening` rejects if it exits before it listens. */
  const launch = (place: number) => {
    const port = sharedPort === null ? {} : { PORT: String(sharedPort) };
    const worker = cluster.fork({ ...variables, ...port, MILLRACE_WORKER: String(place) });
    running.add(worker);
    const heartbeat = watchHeartbeat({
      pid: () => worker.process.pid,
      ping: () => {
        if (worker.isConnected())
          worker.send({ type: 'ping' } satisfies PrimaryMessage, () => undefined);
      },
      onSilent: () => {
        report('worker', 'silent', { worker: place, pid: worker.process.pid });
        worker.process.kill('SIGKILL');
      },
      limits,
    });
    const listening = new Promise<number>((resolve, reject) => {
      worker.on('message', (message: WorkerMessage) => {
        heartbeat.answered();
        if (message.type === 'ready') {
          ready.set(worker, place);
          resolve(message.port);
        } else scrapes.handle(worker, message);
      });
      exitOf(worker).then(() => reject(new Error(`Worker ${place} exited during its start.`)));
    });
    listening.catch(() => undefined);
    const exited = exitOf(worker).then((end) => {
      heartbeat.stop();
      running.delete(worker);
      ready.delete(worker);
      scrapes.forget(worker);
      return end;
    });
    // a message to a worker that was just killed
    worker.on('error', (error) => log.warn({ err: error, worker: place }, 'worker'));
    return { exited, listening, startedAt: Date.now(), isKilled: () => worker.process.killed };
  };

  /** Replaces the worker each time that it exits, until the service stops. */
  const supervise = async (place: number, first: ReturnType<typeof launch>) => {
    let pause = 0;
    for (let current = first; ; current = launch(place)) {
      const { code, signal } = await current.exited;
      if (stopping.signal.aborted) return;
      const isEarly = Date.now() - current.startedAt < ranWell;
      pause = isEarly ? Math.min(Math.max(pause * 2, shortestPause), longestPause) : 0;
      // its own kill is reported already
      if (!current.isKilled()) report('worker', 'exited', { worker: place, code, signal });
      log.error({ worker: place, code, signal, pause }, 'a worker exited; starting another');
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
    }
  };

  const startAt = async (place: number) => {
    const worker = launch(place);
    const port = await worker.listening;
    supervised.push(supervise(place, worker));
    return port;
  };

  return {
    start: async () => {
      // alone: it creates what a new service needs, and reports a wrong setting once
      sharedPort = await startAt(1);
      await Promise.all(Array.from({ length: count - 1 }, (_, index) => startAt(index + 2)));
      return sharedPort;
    },
    stop: async (limit) => {
      stopping.abort();
      for (const worker of running) worker.process.kill('SIGTERM');
      const exits = [...running].map(exitOf);
      const cut = setTimeout(() => {
        log.error('workers did not stop in time and are killed');
        for (const worker of running) worker.process.kill('SIGKILL');
      }, limit);
      await Promise.all([...exits, ...supervised]);
      clearTimeout(cut);
    },
  };
}

interface WorkerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Resolves when a worker has exited, or could not be started. */
const exitOf = (worker: Worker): Promise<WorkerExit> =>
  new Promise((resolve) => {
    worker.once('exit', (code, signal) =>
      resolve({ code, signal: (signal || null) as NodeJS.Signals | null }),
    );
    worker.on('error', () => {
      if (worker.process.pid === undefined) resolve({ code: null, signal: null });
    });
  });
