import { setTimeout as delay } from 'node:timers/promises';
import type Koa from 'koa';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Database } from '../prisma/client.ts';
import { liveGitChildren } from './git/process/child.ts';
import type { Queue } from './jobs/queue.ts';
import type { Subscriptions } from './subscriptions/start.ts';

interface OperationsParts {
  readonly db: Database;
  readonly queue: Pick<Queue, 'sizes'>;
  readonly streams: Pick<Subscriptions['streams'], 'size'>;
  readonly recordNews: Pick<Subscriptions['recordNews'], 'listeners'>;
  readonly registry: Registry;
  /** False during a shutdown: load balancers should use another instance. */
  readonly isAccepting: () => boolean;
}

const loopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Endpoints for monitoring: `/-/liveness`, `/-/readiness`, `/-/metrics`. */
export function operations(parts: OperationsParts): Koa.Middleware {
  const { db, registry, isAccepting } = parts;
  gauges(parts);
  const isAnswering = databaseProbe(db);
  const answers: Readonly<Record<string, (ctx: Koa.Context) => Promise<void> | void>> = {
    '/-/liveness': (ctx) => answer(ctx, 200, { status: 'ok' }),
    '/-/readiness': async (ctx) => {
      const isReady = isAccepting() && (await isAnswering());
      answer(ctx, isReady ? 200 : 503, { status: isReady ? 'ok' : 'unavailable' });
    },
    '/-/metrics': async (ctx) => {
      if (!ctx.state.viewer?.isAdmin && !isLocal(ctx)) {
        return answer(ctx, 404, { error: '404 Not Found' });
      }
      const metrics = Registry.merge([registry, metricsOfProcess()]);
      ctx.type = metrics.contentType;
      ctx.body = await metrics.metrics();
    },
  };
  return async (ctx, next) => {
    const handler = answers[ctx.path];
    if (!handler || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.state.route = ctx.path;
    ctx.set('Cache-Control', 'no-store');
    await handler(ctx);
  };
}

/** A proxy on this machine that is not configured as trusted forwards requests of any client. */
const isLocal = (ctx: Koa.Context): boolean =>
  loopback.test(ctx.ip) &&
  (ctx.ip !== ctx.req.socket.remoteAddress || ctx.get('X-Forwarded-For') === '');

function answer(ctx: Koa.Context, status: number, body: object): void {
  ctx.status = status;
  ctx.set('Content-Type', 'application/json');
  ctx.body = JSON.stringify(body);
}

/** Milliseconds; probes usually time out after a second. */
const probeLimit = 800;

/**
 * Whether the database responds in time. Concurrent probes share one query: they must not exhaust
 * the pool while the database hangs.
 */
function databaseProbe(db: Database): () => Promise<boolean> {
  let question: Promise<boolean> | null = null;
  const ask = () =>
    db.$queryRaw`SELECT 1`
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        question = null;
      });
  return () => {
    question ??= ask();
    return Promise.race([question, delay(probeLimit, false, { ref: false })]);
  };
}

let processRegistry: Registry | null = null;

/**
 * CPU, memory, garbage collection and event loop of this process. They are observed as long as the
 * process lives, so a separate registry keeps them from retaining a stopped server.
 */
function metricsOfProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

function gauges({ registry, queue, db, streams, recordNews: news }: OperationsParts): void {
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
}
