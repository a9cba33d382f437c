import type { Context } from 'koa';
import { disconnectSignal } from '../../schema/client/disconnect-signal.ts';

/** The receiver of a response. Streams count against its address and end with its response. */
export interface Receiver {
  readonly address: string;
  /** Aborted when the receiver disconnects before the response is complete. */
  readonly signal: AbortSignal;
  /** Calls `listener` when the response is closed, complete or not; at once if it already is. */
  readonly onClose: (listener: () => void) => void;
}

const receivers = new WeakMap<Context['res'], Receiver>();

/** The receiver of an HTTP response; the same object for each call. */
export function receiverOf({ res, ip }: Pick<Context, 'res' | 'ip'>): Receiver {
  const existing = receivers.get(res);
  if (existing) return existing;
  const receiver: Receiver = {
    address: ip,
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
