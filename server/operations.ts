import type Koa from 'koa';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Database } from '../prisma/client.ts';
import { liveGitChildren } from './git/child.ts';
import type { Queue } from './jobs/queue.ts';

export interface OperationsParts {
  readonly db: Database;
  readonly queue: Pick<Queue, 'sizes'>;
  readonly registry: Registry;
  /** False once the server has begun to stop: load balancers should look elsewhere. */
  readonly isAccepting: () => boolean;
}

const loopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** What operators and their programs look at: `/-/liveness`, `/-/readiness`, `/-/metrics`. */
export function operations({ db, queue, registry, isAccepting }: OperationsParts): Koa.Middleware {
  gauges(registry, queue);
  const answers: Readonly<Record<string, (ctx: Koa.Context) => Promise<void> | void>> = {
    '/-/liveness': (ctx) => answer(ctx, 200, { status: 'ok' }),
    '/-/readiness': async (ctx) => {
      const isReady = isAccepting() && (await canAsk(db));
      answer(ctx, isReady ? 200 : 503, { status: isReady ? 'ok' : 'unavailable' });
    },
    '/-/metrics': async (ctx) => {
      if (!ctx.state.viewer?.isAdmin && !isLocal(ctx)) {
        return answer(ctx, 404, { error: '404 Not Found' });
      }
      ctx.type = registry.contentType;
      ctx.body = await registry.metrics();
    },
  };
  return async (ctx, next) => {
    const found = answers[ctx.path];
    if (!found || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.state.route = ctx.path;
    ctx.set('Cache-Control', 'no-store');
    await found(ctx);
  };
}

/** A proxy on this machine that nobody told us of speaks for strangers. */
const isLocal = (ctx: Koa.Context): boolean =>
  loopback.test(ctx.ip) &&
  (ctx.ip !== ctx.req.socket.remoteAddress || ctx.get('X-Forwarded-For') === '');

function answer(ctx: Koa.Context, status: number, body: object): void {
  ctx.status = status;
  ctx.set('Content-Type', 'application/json');
  ctx.body = JSON.stringify(body);
}

const canAsk = (db: Database): Promise<boolean> =>
  db.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );

function gauges(registry: Registry, queue: Pick<Queue, 'sizes'>): void {
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'millrace_git_children',
    help: 'Git processes running now',
    registers: [registry],
    collect() {
      this.set(liveGitChildren());
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
}
