import type { Middleware } from 'koa';

/** Headers of every response: no framing, no content sniffing, and the time taken. */
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
