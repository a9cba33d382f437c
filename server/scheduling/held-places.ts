import { oldestOfLargestShare } from '../queueing/largest-share.ts';
import { type Entrant, pool, tally } from '../queueing/pool.ts';
import { QueueRefusal } from '../queueing/refusal.ts';
import type { Caller } from './caller.ts';
import { entrantOf } from './entrants.ts';
import { networkOf } from './network.ts';
import { classLimits } from './shares.ts';

export interface HolderLimits {
  /** In all, besides what is guaranteed to classes. */
  readonly total: number;
  /** Of a user or a deploy key, from all addresses together. */
  readonly perUser: number;
  /** Of all callers of a network that are of the same class. */
  readonly perAddress: number;
}

/** What a caller shares, however it is counted: the places of its network, and of its user from all networks. */
export function sharesOfCaller(
  { class: group, key, address, userId }: Caller,
  { perUser, perAddress }: Omit<HolderLimits, 'total'>,
): Entrant['shares'] {
  // by class: anonymous users of a network leave places to users who sign in there
  const ofNetwork = { key: `${group} network ${networkOf(address)}`, limit: perAddress };
  if (group === 'anonymous' || group === 'background') return [ofNetwork];
  return [ofNetwork, { key: userId === null ? key : `user ${userId}`, limit: perUser }];
}

interface Held {
  readonly entrant: Entrant;
  /** Ends what holds the place, for another caller; undefined if it must not be ended. */
  readonly end: (() => void) | undefined;
}

/**
 * Places that callers hold for long and do not wait for. Each class has guaranteed ones. If those of a class are
 * taken, a caller that holds none gets one of the caller that holds most, if that may be ended: so a few callers
 * cannot keep out the others of their class.
 */
export function heldPlaces(limits: HolderLimits) {
  const { total, perAddress } = limits;
  const places = pool({ places: total, limitsOf: classLimits(total, { perCaller: perAddress }) });
  const shares = tally();
  // in the order in which they were taken
  const holders = new Set<Held>();

  /** Ends what a caller of the same class holds, for one that holds nothing; false if none holds several. */
  const makeRoom = (entrant: Entrant): boolean => {
    if (places.runningOf(entrant) > 0) return false;
    const ofClass = [...holders].filter((held) => held.entrant.group === entrant.group);
    const victim = oldestOfLargestShare(
      ofClass,
      (held) => held.entrant.caller,
      ({ end }) => end !== undefined,
    );
    if (!victim || places.runningOf(victim.entrant) < 2) return false;
    victim.end?.();
    return true;
  };

  return {
    /**
     * Gives what releases the place; throws `QueueRefusal` if there is none. `end`, which must release it, is
     * called if the place is needed for another caller.
     */
    take: (caller: Caller, end?: () => void): (() => void) => {
      const entrant = entrantOf(caller, sharesOfCaller(caller, limits));
      const isShareFull = entrant.shares.some(({ key, limit }) => shares.of(key) >= limit);
      if (isShareFull || places.isCallerFull(entrant)) {
        throw new QueueRefusal('full for this caller', true);
      }
      if (!places.hasRoomFor(entrant.group) && !makeRoom(entrant)) throw new QueueRefusal('full');
      const held = { entrant, end };
      const count = (change: 1 | -1) => {
        places.add(entrant, change);
        for (const { key } of entrant.shares) shares.add(key, change);
      };
      count(1);
      holders.add(held);
      let isOver = false;
      return () => {
        if (!isOver) count(-1);
        isOver = true;
        holders.delete(held);
      };
    },
    taken: (): number => places.running(),
  };
}
