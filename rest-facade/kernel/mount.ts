import type { Context, Middleware } from 'koa';
import type { Outcome } from '../../schema/client/endpoint.ts';
import type { Viewer } from '../../schema/client/execute.ts';
import { answering, type Parts, Refusal, respond } from './answer.ts';
import { explain, refused } from './errors.ts';
import { directory, type PathMatch } from './lookup.ts';
import type { Route } from './route.ts';
import { type Shown, scopeRefusal } from './scopes.ts';

declare module 'koa' {
  interface DefaultState {
    viewer?: Viewer | null;
    /** The caller's credential. With `sudo` its owner is not the current user. */
    credential?: Shown | null;
    /** The administrator who acts as the current user, by `sudo`. */
    sudoerId?: number | null;
    requestId?: string;
    /** The trace of the request, if it is recorded. */
    traceId?: string;
    query?: Record<string, unknown>;
    /** The pattern of the matched endpoint, for metrics. */
    route?: string;
  }
  interface Request {
    /** The parameters in the request body. */
    body?: Record<string, unknown>;
  }
}

export interface Mounting extends Parts {
  /** E.g. `/api/v4`; the facade handles all paths below. */
  readonly prefix: string;
  /** Explains an error in place of the usual table. */
  readonly explain?: (error: unknown, route: Route) => Outcome | null;
}

function fail(outcome: Outcome): never {
  throw new Refusal(outcome);
}

/** Handles all paths below `prefix` with `routes`. */
export function mount(routes: readonly Route[], mounting: Mounting): Middleware {
  const { prefix } = mounting;
  const find = directory(routes);
  const answers = new Map(routes.map((route) => [route, answering(route, mounting)]));
  const explained = mounting.explain ?? ((error, route) => explain(error, route.operation));

  /** Finds the endpoint of a request; throws a refusal if there is none. */
  const look = (method: string, path: string): PathMatch => {
    // PostgreSQL stores no NUL
    if (path.includes('%00')) return fail(refused.encoding);
    let match: PathMatch | null;
    try {
      match = find(method, path);
    } catch {
      return fail(refused.encoding);
    }
    return match ?? fail(refused.path);
  };

  const answer = async (ctx: Context): Promise<void> => {
    const match = look(ctx.method, ctx.path.slice(prefix.length));
    if ('allowed' in match) {
      if (ctx.method !== 'OPTIONS') return fail(refused.method(match.allowed));
      return respond(ctx, { status: 204, body: null, headers: { Allow: match.allowed } });
    }
    const { route, params } = match;
    ctx.state.route = `${prefix}${route.path}`;
    const refusal = scopeRefusal(ctx.state.credential, route.scopes);
    if (refusal) return fail(refusal);
    try {
      await answers.get(route)?.(ctx, params);
    } catch (error) {
      const outcome = explained(error, route);
      if (!outcome) throw error;
      respond(ctx, outcome);
    }
  };

  return async (ctx, next) => {
    const isOurs = ctx.path === prefix || ctx.path.startsWith(`${prefix}/`);
    if (!isOurs) return next();
    try {
      await answer(ctx);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      respond(ctx, error.outcome);
    }
  };
}
