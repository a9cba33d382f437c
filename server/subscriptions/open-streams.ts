import { throttled, unavailable } from '../../schema/kernel/errors.ts';
import { type OpenSession, type OpenSessions, openSessions } from '../accounts/open-sessions.ts';
import { QueueRefusal } from '../queueing/refusal.ts';
import type { Caller } from '../scheduling/caller.ts';
import { type HolderLimits, heldPlaces } from '../scheduling/held-places.ts';

/** Limits on the open subscriptions of a process; times in milliseconds. */
export interface SubscriptionLimits extends HolderLimits {
  /** After this time the server ends a stream, and its client connects again. */
  readonly lifetimeMs: number;
  /** How often a comment is sent, so that proxies keep an idle stream open. */
  readonly keepAliveMs: number;
  /** How often the credential of each open session is checked, besides at notified changes. */
  readonly checkMs: number;
}

export const subscriptionLimits: SubscriptionLimits = {
  total: 1000,
  perUser: 20,
  perAddress: 100,
  lifetimeMs: 30 * 60_000,
  keepAliveMs: 15_000,
  checkMs: 15_000,
};

/**
 * Why a stream ended. Only `finished` and `unauthenticated` tell the client that it is complete;
 * after any other reason the client may connect again. `displaced`: another caller got its place.
 */
export type StreamEnd =
  | 'finished'
  | 'unauthenticated'
  | 'disconnected'
  | 'lifetime'
  | 'displaced'
  | 'shutdown';

/** Seconds until a client that has too many streams may try again. */
const retryAfter = 30;

interface StreamOptions extends Pick<OpenSession, 'userIds' | 'check'> {
  readonly caller: Caller;
}

/** An open subscription; `signal` is aborted when it ends, and releases everything it holds. */
export interface OpenStream {
  readonly signal: AbortSignal;
  /** Null while it is open. */
  readonly ended: StreamEnd | null;
  /** Ends it; only the first reason counts. */
  end(reason: StreamEnd): void;
}

export type OpenStreams = ReturnType<typeof openStreams>;

/** The open subscriptions of this process, within the limits. */
export function openStreams(
  limits: SubscriptionLimits = subscriptionLimits,
  sessions: Pick<OpenSessions, 'watch'> = openSessions(limits.checkMs),
) {
  const streams = new Set<OpenStream>();
  const places = heldPlaces(limits);
  let isOver = false;

  return {
    limits,
    /**
     * Throws `throttled` if the user or address has too many, and `unavailable` if all callers of the
     * class have, or at a shutdown.
     */
    open: ({ userIds, check, caller }: StreamOptions): OpenStream => {
      if (isOver) throw unavailable(retryAfter);
      const release = takePlace(places, caller, () => stream.end('displaced'));
      const controller = new AbortController();
      let ended: StreamEnd | null = null;
      const stream: OpenStream = {
        signal: controller.signal,
        get ended() {
          return ended;
        },
        end: (reason) => {
          if (ended) return;
          ended = reason;
          clearTimeout(lifetime);
          unwatch();
          streams.delete(stream);
          release();
          controller.abort();
        },
      };
      const lifetime = setTimeout(() => stream.end('lifetime'), limits.lifetimeMs);
      lifetime.unref();
      const unwatch = sessions.watch({
        userIds,
        check,
        end: () => stream.end('unauthenticated'),
      });
      streams.add(stream);
      return stream;
    },
    size: (): number => streams.size,
    /** Ends all streams, and refuses further ones. */
    stop: (): void => {
      isOver = true;
      for (const stream of streams) stream.end('shutdown');
    },
  };
}

function takePlace(
  places: ReturnType<typeof heldPlaces>,
  caller: Caller,
  end: () => void,
): () => void {
  try {
    return places.take(caller, end);
  } catch (error) {
    if (!(error instanceof QueueRefusal)) throw error;
    throw error.isCallerFull ? throttled(retryAfter) : unavailable(retryAfter);
  }
}
