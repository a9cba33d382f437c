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
  /** Of all callers of a network. */
  readonly perAddress: number;
}

/** What a caller shares, however it is counted: the places of its network, and of its user from all networks. */
export function sharesOfCaller(
  { class: group, key, address, userId }: Caller,
  { perUser, perAddress }: Omit<HolderLimits, 'total'>,
): Entrant['shares'] {
  const ofNetwork = { key: `network ${networkOf(address)}`, limit: perAddress };
  if (group !== 'signed in') return [ofNetwork];
  return [ofNetwork, { key: userId === null ? key : `user ${userId}`, limit: perUser }];
}

/** Places that callers hold for long and do not wait for. Each class has guaranteed ones. */
export function heldPlaces(limits: HolderLimits) {
  const { total, perAddress } = limits;
  const places = pool({ places: total, limitsOf: classLimits(total, { perCaller: perAddress }) });
  const shares = tally();
  return {
    /** Gives what releases the place; throws `QueueRefusal` if there is none. */
    take: (caller: Caller): (() => void) => {
      const entrant = entrantOf(caller, sharesOfCaller(caller, limits));
      if (!places.hasRoomFor(entrant.group)) throw new QueueRefusal('full');
      const isShareFull = entrant.shares.some(({ key, limit }) => shares.of(key) >= limit);
      if (isShareFull || places.isCallerFull(entrant)) {
        throw new QueueRefusal('full for this caller', true);
      }
      const count = (change: 1 | -1) => {
        places.add(entrant, change);
        for (const { key } of entrant.shares) shares.add(key, change);
      };
      count(1);
      let isOver = false;
      return () => {
        if (!isOver) count(-1);
        isOver = true;
      };
    },
    taken: (): number => places.running(),
  };
}
