import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Database, poolUse } from '../prisma/client.ts';
import { liveGitChildren } from './git/process/child.ts';
import { helperFailures } from './helpers/failures.ts';
import type { Queue } from './jobs/queue.ts';
import { sharePending } from './share-pending.ts';
import type { Subscriptions } from './subscriptions/start.ts';

export interface GaugeParts {
  readonly db: Database;
  readonly queue: Pick<Queue, 'unfinished'>;
  readonly streams: Pick<Subscriptions['streams'], 'size'>;
  readonly recordNews: Pick<Subscriptions['recordNews'], 'listeners'>;
  readonly registry: Registry;
}

let processRegistry: Registry | null = null;

/**
 * CPU, memory, garbage collection and event loop of this process. They are observed as long as the
 * process lives, so a separate registry keeps them from retaining a stopped server.
 */
export function metricsOfProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
    processRegistry.registerMetric(helperFailures);
  }
  return processRegistry;
}

/** Registers what is read at each scrape: counts and ages that change without a request. */
export function registerGauges({
  registry,
  queue,
  db,
  streams,
  recordNews: news,
}: GaugeParts): void {
  // observed from the start, not from the first scrape
  metricsOfProcess();
  // two gauges are collected together
  const unfinishedJobs = sharePending(() => queue.unfinished());
  new Gauge({
    name: 'millrace_git_children',
    help: 'Git processes running now',
    registers: [registry],
    collect() {
      this.set(liveGitChildren());
    },
  });
  new Gauge({
    name: 'millrace_database_connections',
    help: 'Open connections to the database, without those of the queue',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { busy, idle } = poolUse(db);
      this.set({ state: 'busy' }, busy);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'millrace_database_connections_max',
    help: 'The number of connections that may be open at a time',
    registers: [registry],
    collect() {
      this.set(poolUse(db).size);
    },
  });
  new Gauge({
    name: 'millrace_database_waiting',
    help: 'Statements and transactions that wait for a connection',
    registers: [registry],
    collect() {
      this.set(poolUse(db).waiting);
    },
  });
  new Gauge({
    name: 'millrace_subscriptions',
    help: 'Open GraphQL subscriptions',
    registers: [registry],
    collect() {
      this.set(streams.size());
    },
  });
  new Gauge({
    name: 'millrace_subscription_listeners',
    help: 'Records whose changes open subscriptions wait for',
    registers: [registry],
    collect() {
      this.set(news.listeners());
    },
  });
  new Gauge({
    name: 'millrace_jobs',
    aggregator: 'first',
    help: 'Jobs waiting or running',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { kind, count } of await orNone(unfinishedJobs())) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: 'millrace_dead_letters',
    aggregator: 'first',
    help: 'Background jobs that were given up',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset();
      const kinds = await orNone(db.deadLetter.groupBy({ by: 'kind', _count: true }));
      for (const { kind, _count } of kinds) this.set({ kind }, _count);
    },
  });
  new Gauge({
    name: 'millrace_jobs_oldest_seconds',
    aggregator: 'first',
    help: 'How long the oldest background job that is due has waited',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { kind, waitingSeconds } of await orNone(unfinishedJobs())) {
        if (waitingSeconds !== null) this.set({ kind }, waitingSeconds);
      }
    },
  });
  new Gauge({
    name: 'millrace_ci_jobs',
    aggregator: 'first',
    help: 'CI jobs that wait for a runner or run',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = (['pending', 'running'] as const).map(
        async (status) => [status, await db.job.count({ where: { status } })] as const,
      );
      for (const [status, count] of await orNone(Promise.all(counts))) this.set({ status }, count);
    },
  });
}

/** Milliseconds; a scrape usually times out after ten seconds. */
const answerLimit = 2_000;

/** Nothing while the database does not answer: metrics of the process are needed most then. */
const orNone = <Entry>(rows: Promise<Iterable<Entry>>): Promise<Iterable<Entry>> =>
  Promise.race([rows.catch((): Entry[] => []), delay(answerLimit, [] as Entry[], { ref: false })]);
