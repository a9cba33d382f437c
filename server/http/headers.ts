import type { Middleware } from 'koa';

/** What every answer carries: no framing, no guessing of types, and how long it took. */
export const standardHeaders: Middleware = async (ctx, next) => {
  const start = performance.now();
  const { res } = ctx;
  res.setHeader('X-Frame-Options', 'SAMEORIGIN');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Vary', 'Origin');
  try {
    await next();
  } finally {
    if (!res.headersSent) {
      res.setHeader('X-Runtime', ((performance.now() - start) / 1000).toFixed(6));
    }
  }
};
