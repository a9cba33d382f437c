import type { Receiver } from '../../rest-facade/kernel/receiver.ts';
import { throttled, unavailable } from '../../schema/kernel/errors.ts';
import { networkOf } from '../accounts/network.ts';
import { type FairQueue, fairQueue, QueueRefusal } from '../queueing/fair-queue.ts';

export interface StreamLimits {
  readonly total: number;
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
 * receiver has no effect. Throws `throttled` if the address has too many streams, and
 * `unavailable` if there are too many in total.
 */
export type ReserveStream = (receiver: Receiver) => Promise<void>;

/** Limits streams per address and in total, as a stream can hold a git process as long as it lasts. */
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
