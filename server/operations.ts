import { setTimeout as delay } from 'node:timers/promises';
import type Koa from 'koa';
import { Registry } from 'prom-client';
import { type Database, isCommitting } from '../prisma/client.ts';
import type { PrimaryLink } from './cluster/worker.ts';
import { type GaugeParts, metricsOfProcess, registerGauges } from './gauges.ts';
import { gitProbe } from './git/process/readiness.ts';
import { sharePending } from './share-pending.ts';

interface OperationsParts extends GaugeParts {
  /** False during a shutdown: load balancers should use another instance. */
  readonly isAccepting: () => boolean;
  /** In a worker process: `/-/metrics` has the sums of all workers. */
  readonly worker?: Pick<PrimaryLink, 'shareMetrics' | 'metricsOfAll'> | null | undefined;
}

const loopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Endpoints for monitoring: `/-/liveness`, `/-/readiness`, `/-/metrics`. */
export function operations(parts: OperationsParts): Koa.Middleware {
  const { db, registry, isAccepting, worker } = parts;
  registerGauges(parts);
  const metricsNow = () => Registry.merge([registry, metricsOfProcess()]);
  worker?.shareMetrics(() => metricsNow().getMetricsAsJSON());
  const isDatabaseReady = databaseProbe(db);
  const isGitReady = gitProbe(probeLimit);
  const answers: Readonly<Record<string, (ctx: Koa.Context) => Promise<void> | void>> = {
    '/-/liveness': (ctx) => answer(ctx, 200, { status: 'ok' }),
    '/-/readiness': async (ctx) => {
      const partsReady = () => Promise.all([isDatabaseReady(), isGitReady()]);
      const isReady = isAccepting() && (await partsReady()).every(Boolean) && isCommitting(db);
      answer(ctx, isReady ? 200 : 503, { status: isReady ? 'ok' : 'unavailable' });
    },
    '/-/metrics': async (ctx) => {
      if (!ctx.state.viewer?.isAdmin && !isLocal(ctx)) {
        return answer(ctx, 404, { error: '404 Not Found' });
      }
      const metrics = metricsNow();
      ctx.type = metrics.contentType;
      // its own while the primary process does not answer
      ctx.body = (await worker?.metricsOfAll()) ?? (await metrics.metrics());
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

/** What proxies add to the requests that they forward. */
const forwardingHeaders = ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Forwarded', 'Via'];

/**
 * Whether a program on this machine sent the request itself. What a proxy forwards is of any client,
 * and what it says about the client's address can be forged where clients are trusted as proxies.
 */
const isLocal = (ctx: Koa.Context): boolean =>
  loopback.test(ctx.req.socket.remoteAddress ?? '') &&
  forwardingHeaders.every((name) => ctx.get(name) === '');

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
  const ask = sharePending(() =>
    db.$queryRaw`SELECT 1`.then(
      () => true,
      () => false,
    ),
  );
  return () => Promise.race([ask(), delay(probeLimit, false, { ref: false })]);
}
