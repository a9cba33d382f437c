import type { Middleware } from 'koa';
import { hasBody } from './body.ts';

/** Milliseconds. */
const fiveMinutes = 300_000;

/** Bytes that arrive in a millisecond, at the least: a file of the usual limit has five minutes. */
const slowest = 35;

/**
 * Cuts a connection whose body does not arrive within `milliseconds`, whether anybody reads it or
 * it was answered already; one that comes at a fair pace has as long again. Comes after git, whose
 * packs may take hours.
 */
export const bodyDeadline =
  (milliseconds: number = fiveMinutes): Middleware =>
  async ({ req }, next) => {
    if (hasBody(req)) {
      let seen = req.socket.bytesRead;
      const timer = setInterval(() => {
        const came = req.socket.bytesRead - seen;
        seen += came;
        if (req.complete || came < slowest * milliseconds) clearInterval(timer);
        if (!req.complete && came < slowest * milliseconds) req.socket.destroy();
      }, milliseconds);
      timer.unref();
      req.once('end', () => clearInterval(timer));
    }
    await next();
  };
