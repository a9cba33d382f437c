import type { ServerResponse } from 'node:http';
import { currentCaller } from '../scheduling/scope.ts';

/**
 * Reserves memory for bytes of a request body. Returns false if the bodies of all requests would
 * exceed the budget or the share of its caller; the request must then be refused.
 */
export type HoldBytes = (bytes: number) => boolean;

/**
 * A memory budget for the bodies of all requests. Each body is held until its response is closed,
 * because a long poll keeps its parameters. Each body has its own limit, but thousands of slow
 * or waiting connections could together hold gigabytes. A caller may hold as much as is left: however
 * many hold all that they may, one more finds as much.
 */
function bodyBudget(most: number): (response: ServerResponse) => HoldBytes {
  let total = 0;
  const byCaller = new Map<string, number>();
  return (response) => {
    const caller = currentCaller()?.key ?? '';
    const heldByCaller = () => byCaller.get(caller) ?? 0;
    const add = (bytes: number) => {
      total += bytes;
      byCaller.set(caller, heldByCaller() + bytes);
      if (heldByCaller() === 0) byCaller.delete(caller);
    };
    let held = 0;
    return (bytes) => {
      // a closed response would never release its bytes
      if (response.closed || heldByCaller() + bytes > most - total - bytes) return false;
      if (held === 0) response.once('close', () => add(-held));
      held += bytes;
      add(bytes);
      return true;
    };
  };
}

/** The budget of this process: 16 bodies of the default limit, or 4 whole traces. */
export const holdFor = bodyBudget(64 * 2 ** 20);
