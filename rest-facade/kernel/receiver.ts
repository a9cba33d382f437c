import type { Context } from 'koa';
import { disconnectSignal } from '../../schema/client/disconnect-signal.ts';

/** The receiver of a response. Streams count against its address and end with its response. */
export interface Receiver {
  readonly address: string;
  /**
   * Whether the file may be sent by another server, to which the response redirects. Clients forward most
   * headers with tokens there, and scripts of other origins may not read it: they must ask for it.
   */
  readonly redirects: 'always' | 'on request' | 'never';
  /** Aborted when the receiver disconnects before the response is complete. */
  readonly signal: AbortSignal;
  /** Calls `listener` when the response is closed, complete or not; at once if it already is. */
  readonly onClose: (listener: () => void) => void;
}

const receivers = new WeakMap<Context['res'], Receiver>();

/** Headers that make a client ask for a redirect. */
const forwarded = ['private-token', 'job-token', 'authorization', 'origin'];

function redirectsOf({ method, headers }: Pick<Context, 'method' | 'headers'>) {
  // the other server accepts no other method
  if (method !== 'GET') return 'never';
  return forwarded.some((name) => headers[name] !== undefined) ? 'on request' : 'always';
}

/** The receiver of an HTTP response; the same object for each call. */
export function receiverOf(ctx: Pick<Context, 'res' | 'ip' | 'method' | 'headers'>): Receiver {
  const { res, ip } = ctx;
  const existing = receivers.get(res);
  if (existing) return existing;
  const receiver: Receiver = {
    address: ip,
    redirects: redirectsOf(ctx),
    get signal() {
      return disconnectSignal(res);
    },
    onClose: (listener) => {
      if (res.closed) return listener();
      // piping and cleanup add more listeners than Node expects
      res.setMaxListeners(20);
      res.once('close', listener);
    },
  };
  receivers.set(res, receiver);
  return receiver;
}
