import type { ServerResponse } from 'node:http';

const signals = new WeakMap<ServerResponse, AbortSignal>();

/**
 * Aborted when the client disconnects before the response is complete. Created on first use: few
 * requests need it, and a controller for each would cost measurable time.
 */
export function disconnectSignal(res: ServerResponse): AbortSignal {
  const existing = signals.get(res);
  if (existing) return existing;
  const controller = new AbortController();
  if (res.destroyed) controller.abort();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  signals.set(res, controller.signal);
  return controller.signal;
}
