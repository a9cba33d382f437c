import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Delegation, RequestFacts } from '../kernel/context.ts';
import { disconnectSignal } from './disconnect-signal.ts';

/** A Koa context, as far as it identifies a request and its caller. */
interface Incoming {
  readonly req: Pick<IncomingMessage, 'headers'>;
  readonly res: ServerResponse;
  readonly ip: string;
  readonly state: {
    readonly requestId?: string;
    readonly sudoerId?: number | null;
    readonly credential?: { readonly kind: string; readonly delegation?: Delegation } | null;
  };
}

/** The facts that operations need about a request, for every interface; `changes` override them. */
export const requestFacts = (
  { req, res, ip, state }: Incoming,
  changes: Partial<RequestFacts> = {},
): RequestFacts => ({
  id: state.requestId ?? '',
  address: ip,
  userAgent: req.headers['user-agent'] ?? '',
  sudoerId: state.sudoerId ?? null,
  isDelegated: state.credential?.kind === 'oauth' || state.credential?.kind === 'job',
  delegation: state.credential?.delegation ?? null,
  get signal() {
    return disconnectSignal(res);
  },
  ...changes,
});
