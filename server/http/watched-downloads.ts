import type { Context, Middleware } from 'koa';
import { type Receiver, receiverOf } from '../../rest-facade/kernel/receiver.ts';
import type { OpenSessions } from '../accounts/open-sessions.ts';
import type { ReserveStream } from './stream-gate.ts';

/** Ends long responses, such as archives and artifacts, with the credential of their request. */
export function watchedDownloads(
  sessions: Pick<OpenSessions, 'watch'>,
  reserveStream: ReserveStream,
): { readonly remember: Middleware; readonly reserveStream: ReserveStream } {
  const requests = new WeakMap<Receiver, Context>();
  return {
    /** Remembers the request of a receiver; for the middlewares after `authenticate`. */
    remember: (ctx, next) => {
      if (ctx.state.credential) requests.set(receiverOf(ctx), ctx);
      return next();
    },
    reserveStream: async (receiver) => {
      await reserveStream(receiver);
      const ctx = requests.get(receiver);
      if (!ctx) return;
      requests.delete(receiver);
      const { viewer, sudoerId, identify } = ctx.state;
      const userIds = [viewer?.id, sudoerId].filter((id) => typeof id === 'number');
      const check = async () => (await identify()) && { validUntil: null };
      receiver.onClose(sessions.watch({ userIds, check, end: () => ctx.res.destroy() }));
    },
  };
}
