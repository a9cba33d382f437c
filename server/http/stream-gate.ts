import type { Receiver } from '../../rest-facade/kernel/receiver.ts';
import { throttled, unavailable } from '../../schema/kernel/errors.ts';
import { networkOf } from '../accounts/network.ts';
import { type FairQueue, fairQueue, QueueRefusal } from '../workers/fair-queue.ts';

/** How many answers may be on their way as streams. */
export interface StreamLimits {
  readonly total: number;
  readonly perAddress: number;
  /** Requests that wait for a stream to end. */
  readonly waiting: number;
  readonly waitingPerAddress: number;
  /** Milliseconds that a request waits at most. */
  readonly waitMs: number;
}

/**
 * An address may be an office or a build farm, whose short fetches come in bursts: they wait a
 * moment rather than fail.
 */
export const streamLimits: StreamLimits = {
  total: 100,
  perAddress: 25,
  waiting: 400,
  waitingPerAddress: 100,
  waitMs: 20_000,
};

/** Seconds: a stream that stalls is cut after half a minute. */
const retryAfter = 30;

/**
 * Waits until an answer may be a stream, and counts it as one until it is closed; a second call for
 * the same answer changes nothing. Throws `throttled` where the address has too many streams, and
 * `unavailable` where there are too many in all.
 */
export type ReserveStream = (receiver: Receiver) => Promise<void>;

/** Limits streams per address and in all. A stream may hold a git process for as long as it lasts. */
export function streamGate(limits: StreamLimits = streamLimits): ReserveStream {
  const queue = fairQueue({
    running: limits.total,
    runningPerCaller: limits.perAddress,
    waiting: limits.waiting,
    waitingPerCaller: limits.waitingPerAddress,
    waitLimit: limits.waitMs,
  });
  const reservations = new WeakMap<Receiver, Promise<void>>();
  return (receiver) => {
    const existing = reservations.get(receiver);
    if (existing) return existing;
    const reservation = enter(queue, receiver);
    reservations.set(receiver, reservation);
    return reservation;
  };
}

async function enter(queue: FairQueue, { address, signal, onClose }: Receiver): Promise<void> {
  try {
    onClose(await queue.enter(networkOf(address), signal));
  } catch (error) {
    if (!(error instanceof QueueRefusal)) throw error;
    throw error.isCallerFull ? throttled(retryAfter) : unavailable(retryAfter);
  }
}
