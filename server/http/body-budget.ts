import type { ServerResponse } from 'node:http';

/**
 * Counts bytes of a request's body that are kept in memory; false when all requests together would
 * keep too much, so that this one must be refused.
 */
export type HoldBytes = (bytes: number) => boolean;

/**
 * A budget for the bodies of all requests, each held until its response is closed: a request that
 * waits, as a runner's for a job, keeps its parameters. Each body has a limit of its own, but thousands
 * of connections that send slowly or wait could together keep gigabytes.
 */
export function bodyBudget(most: number): (response: ServerResponse) => HoldBytes {
  let total = 0;
  return (response) => {
    let held = 0;
    return (bytes) => {
      // a response that is closed would never release what is held for it
      if (response.closed || total + bytes > most) return false;
      if (held === 0) {
        response.once('close', () => {
          total -= held;
        });
      }
      held += bytes;
      total += bytes;
      return true;
    };
  };
}

/** Of this process: sixteen of the longest usual bodies, or four whole traces. */
export const holdFor = bodyBudget(64 * 2 ** 20);
