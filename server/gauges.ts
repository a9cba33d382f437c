import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Database } from '../prisma/client.ts';
import { liveGitChildren } from './git/process/child.ts';
import { kindNames } from './jobs/kinds.ts';
import type { Queue } from './jobs/queue.ts';
import type { Subscriptions } from './subscriptions/start.ts';

export interface GaugeParts {
  readonly db: Database;
  readonly queue: Pick<Queue, 'sizes'>;
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
  new Gauge({
    name: 'millrace_git_children',
    help: 'Git processes running now',
    registers: [registry],
    collect() {
      this.set(liveGitChildren());
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
    help: 'Jobs waiting or running',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      for (const [kind, size] of await queue.sizes()) this.set({ kind }, size);
    },
  });
  new Gauge({
    name: 'millrace_dead_letters',
    help: 'Background jobs that were given up',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset();
      const kinds = await db.deadLetter.groupBy({ by: 'kind', _count: true });
      for (const { kind, _count } of kinds) this.set({ kind }, _count);
    },
  });
  new Gauge({
    name: 'millrace_jobs_oldest_seconds',
    help: 'How long the oldest background job that is due has waited',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { kind, seconds } of await waitingTimes(db)) this.set({ kind }, seconds);
    },
  });
  new Gauge({
    name: 'millrace_ci_jobs',
    help: 'CI jobs that wait for a runner or run',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      for (const status of ['pending', 'running'] as const) {
        this.set({ status }, await db.job.count({ where: { status } }));
      }
    },
  });
}

/** Seconds since the oldest due job of each kind became due, read from the index of waiting jobs. */
const waitingTimes = (
  db: Database,
): Promise<readonly { readonly kind: string; readonly seconds: number }[]> => db.$queryRaw`
  SELECT kind, extract(epoch FROM now() - due)::float AS seconds
  FROM unnest(${[...kindNames]}::text[]) AS kind,
    LATERAL (
      SELECT min(start_after) AS due FROM pgboss.job WHERE name = kind AND state < 'active'
    ) AS oldest
  WHERE due <= now()`;
