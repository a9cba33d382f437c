import type { ServerResponse } from 'node:http';

const signals = new WeakMap<ServerResponse, AbortSignal>();

/**
 * Aborted when the connection of a request closes before it is answered. Made for those that ask:
 * few do, and a controller for each request would be felt.
 */
export function disconnectSignal(res: ServerResponse): AbortSignal {
  const known = signals.get(res);
  if (known) return known;
  const controller = new AbortController();
  if (res.destroyed) controller.abort();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  signals.set(res, controller.signal);
  return controller.signal;
}
