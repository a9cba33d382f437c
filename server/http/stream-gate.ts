import type { Receiver } from '../../rest-facade/kernel/receiver.ts';
import { throttled, unavailable } from '../../schema/kernel/errors.ts';
import type { GroupQueue } from '../queueing/group-queue.ts';
import { QueueRefusal } from '../queueing/refusal.ts';
import { callerOf } from '../scheduling/caller.ts';
import { entrantOf } from '../scheduling/entrants.ts';
import { kindQueue } from '../scheduling/heavy-work.ts';
import { sharesOfCaller } from '../scheduling/held-places.ts';
import { currentCaller } from '../scheduling/scope.ts';

export interface StreamLimits {
  readonly total: number;
  /** Of an address, and of a user. */
  readonly perAddress: number;
  /** Requests that wait for a stream to end. */
  readonly waiting: number;
  readonly waitingPerAddress: number;
  /** The longest wait, in milliseconds. */
  readonly waitMs: number;
}

/**
 * An address may be an office or a build farm that sends bursts of short fetches: these wait a
 * moment instead of failing.
 */
export const streamLimits: StreamLimits = {
  total: 100,
  perAddress: 25,
  waiting: 400,
  waitingPerAddress: 100,
  waitMs: 20_000,
};

/** Seconds; a stalled stream is closed after half a minute. */
const retryAfter = 30;

/**
 * Waits for a free stream, and holds it until the response is closed; another call for the same
 * receiver has no effect. Throws `throttled` if the user or address has too many streams, and
 * `unavailable` if there are too many in total.
 */
export type ReserveStream = (receiver: Receiver) => Promise<void>;

/**
 * Limits streams per user, per address and in total, as a stream can hold a git process as long as it lasts. Each class
 * of callers has a guaranteed share.
 */
export function streamGate(limits: StreamLimits = streamLimits, kind = 'streams'): ReserveStream {
  const queue = kindQueue({
    kind,
    places: limits.total,
    limits: {
      perCaller: limits.perAddress,
      waiting: limits.waiting,
      waitingPerCaller: limits.waitingPerAddress,
      waitLimit: limits.waitMs,
    },
    // one may last for an hour
    isCounted: false,
  });
  const reservations = new WeakMap<Receiver, Promise<void>>();
  return (receiver) => {
    const existing = reservations.get(receiver);
    if (existing) return existing;
    const reservation = enter(queue, receiver, limits);
    reservations.set(receiver, reservation);
    return reservation;
  };
}

/** Streams of a user count for the user, from all addresses, and for the address. */
async function enter(
  queue: GroupQueue,
  { address, signal, onClose }: Receiver,
  { perAddress }: StreamLimits,
): Promise<void> {
  const caller = currentCaller() ?? callerOf(null, address);
  const shares = sharesOfCaller(caller, { perUser: perAddress, perAddress });
  try {
    const { leave } = await queue.admit({ current: [entrantOf(caller, shares)] }, signal);
    onClose(leave);
  } catch (error) {
    if (!(error instanceof QueueRefusal)) throw error;
    throw error.isCallerFull ? throttled(retryAfter) : unavailable(retryAfter);
  }
}
