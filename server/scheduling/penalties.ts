import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import { currentTurn } from './scope.ts';

/** Milliseconds for which a caller whose work exceeded a limit waits behind the others of its class. */
const penaltyMs = 60_000;
const maxPenalised = 10_000;

const penalised = new LRUCache<string, true>({ max: maxPenalised, ttl: penaltyMs });

const keyOf = ({ class: group, key }: Pick<Caller, 'class' | 'key'>) => `${group} ${key}`;

export const isPenalised = (caller: Pick<Caller, 'class' | 'key'>): boolean =>
  penalised.has(keyOf(caller));

export const penalise = (caller: Caller): void => {
  penalised.set(keyOf(caller), true);
};

/** Called when the work of the current turn has exceeded its time or memory. */
export function recordLimitReached(): void {
  const turn = currentTurn();
  if (turn) penalise(turn.caller);
}
