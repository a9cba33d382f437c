import type { Middleware } from 'koa';
import { hasBody } from './body.ts';

/** A file of the usual limit takes this long at 35 kB a second. */
const fiveMinutes = 300_000;

/**
 * Cuts a connection whose body does not arrive within `milliseconds`, whether anybody reads it or
 * it was answered already. Comes after git, whose packs may take hours.
 */
export const bodyDeadline =
  (milliseconds: number = fiveMinutes): Middleware =>
  async ({ req }, next) => {
    if (hasBody(req)) {
      const timer = setTimeout(() => {
        if (!req.complete) req.socket.destroy();
      }, milliseconds);
      timer.unref();
      req.once('end', () => clearTimeout(timer));
    }
    await next();
  };
