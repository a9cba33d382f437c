import type { ServerResponse } from 'node:http';
import { type Holder, memoryShares } from '../../prisma/memory-shares.ts';
import { watchCaller } from '../scheduling/scope.ts';

const megabyte = 2 ** 20;

/** The bodies of all requests of this process: 16 of the default limit, or 4 whole traces. */
const shares = memoryShares({
  total: 64 * megabyte,
  perHolder: 32 * megabyte,
  guaranteed: {
    'signed in': 16 * megabyte,
    'new account': 8 * megabyte,
    anonymous: 8 * megabyte,
    background: 0,
  },
  modest: 4 * megabyte,
});

/** Bytes of a body that is never refused: the limits on connections limit these. */
const small = 16 * 1024;

/**
 * Reserves memory for bytes of a request body. Returns false if the bodies of all requests would exceed the budget or
 * the share of their callers; the request must then be refused.
 */
export type HoldBytes = (bytes: number) => boolean;

/**
 * Holds memory for the body of a request until its response is closed, because a long poll keeps its parameters. Each
 * body has its own limit, but thousands of slow or waiting connections could together hold gigabytes.
 */
export function holdFor(response: ServerResponse): HoldBytes {
  // bytes arrive in the scope of the connection
  const currentHolder = watchCaller();
  let held = 0;
  let holder: Holder | null = null;
  const release = () => {
    if (holder) shares.hold(holder, -held);
  };
  return (bytes) => {
    // a closed response would never release its bytes
    if (response.closed) return false;
    const current = currentHolder();
    if (held + bytes > small && !shares.fits(current, bytes)) return false;
    if (holder) release();
    else response.once('close', release);
    holder = current;
    held += bytes;
    shares.hold(holder, held);
    return true;
  };
}
