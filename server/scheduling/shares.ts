import type { QueueLimits } from '../queueing/group-queue.ts';
import { type CallerClass, callerClasses } from './caller.ts';

/** Turns of a class while several wait. */
const weights: Readonly<Record<CallerClass, number>> = {
  'signed in': 2,
  'new account': 1,
  anonymous: 1,
  background: 1,
};

/** The waiting entries of a kind of work. A page of a hundred records may need one turn for each. */
const waiting = 1_000;
const waitingPerCaller = 400;

/** Milliseconds. */
const usualWait = 20_000;
let longestWait = usualWait;

/** Sets how long callers wait for a turn of heavy work, in milliseconds. */
export function setLongestWait(milliseconds = usualWait): void {
  longestWait = milliseconds;
}

export type ShareOptions = Partial<
  Pick<QueueLimits, 'waiting' | 'waitingPerCaller' | 'waitLimit' | 'perCaller'>
>;

/**
 * The shares of each class in `places`. Signed-in callers may use all places, as new accounts may, each other class three
 * quarters, and a caller half of what its class may use. A class may always start its guaranteed number, beyond the places if others
 * hold them: so no place stays empty for a class that does not come. A single place has an order only.
 */
export function classLimits(
  places: number,
  options: ShareOptions = {},
): (group: string) => QueueLimits {
  const quarter = Math.floor(places / 4);
  const limitsWith = (most: number, guaranteed: number, group: CallerClass): QueueLimits => ({
    most,
    guaranteed: places === 1 ? 0 : Math.min(places, guaranteed),
    perCaller: options.perCaller ?? Math.max(1, Math.floor(most / 2)),
    weight: weights[group],
    waiting: options.waiting ?? waiting,
    waitingPerCaller: options.waitingPerCaller ?? waitingPerCaller,
    get waitLimit() {
      return options.waitLimit ?? longestWait;
    },
  });
  const least = Math.max(1, quarter);
  const others = [places - quarter, least] as const;
  const byClass: Readonly<Record<CallerClass, QueueLimits>> = {
    'signed in': limitsWith(places, Math.max(2, Math.ceil(places / 2)), 'signed in'),
    'new account': limitsWith(places, least, 'new account'),
    anonymous: limitsWith(...others, 'anonymous'),
    background: {
      ...limitsWith(...others, 'background'),
      // jobs are limited in number, and no response waits for them
      waiting: Number.POSITIVE_INFINITY,
      waitingPerCaller: Number.POSITIVE_INFINITY,
      waitLimit: Number.POSITIVE_INFINITY,
    },
  };
  return (group) => byClass[group as CallerClass];
}

/** How many run at most in `places`: with those that are guaranteed to classes. */
export const mostRunning = (places: number): number => {
  const limitsOf = classLimits(places);
  return callerClasses.reduce((sum, group) => sum + limitsOf(group).guaranteed, places);
};
