import type { Middleware } from 'koa';
import { Reading } from '../../prisma/reading-limits.ts';
import { watchCaller } from '../scheduling/scope.ts';

/** Limits what each request reads from the database: it is in memory until the response is closed. */
export const limitReading: Middleware = (ctx, next) => {
  const reading = new Reading(watchCaller());
  ctx.res.once('close', () => reading.end());
  return reading.run(next);
};
