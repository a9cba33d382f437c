import type { ServerResponse } from 'node:http';

/**
 * Reserves memory for bytes of a request body. Returns false if the bodies of all requests would
 * exceed the budget; the request must then be refused.
 */
export type HoldBytes = (bytes: number) => boolean;

/**
 * A memory budget for the bodies of all requests. Each body is held until its response is closed,
 * because a long poll keeps its parameters. Each body has its own limit, but thousands of slow
 * or waiting connections could together hold gigabytes.
 */
function bodyBudget(most: number): (response: ServerResponse) => HoldBytes {
  let total = 0;
  return (response) => {
    let held = 0;
    return (bytes) => {
      // a closed response would never release its bytes
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

/** The budget of this process: 16 bodies of the default limit, or 4 whole traces. */
export const holdFor = bodyBudget(64 * 2 ** 20);
