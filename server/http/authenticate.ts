import type Koa from 'koa';
import { type Explanation, refused } from '../../rest-facade/kernel/errors.ts';
import { queryOf } from '../../rest-facade/kernel/query.ts';
import { scopeRefusal } from '../../rest-facade/kernel/scopes.ts';
import type { Credentials } from '../accounts/credentials.ts';
import { sessionCookie } from './browser-session.ts';
import { askedFor, substitute } from './sudo.ts';

const bearer = /^Bearer\s+(\S+)$/i;

/** A token anywhere v4 clients put it (v4-behaviour 1.5), or null. */
function tokenOf(ctx: Koa.Context): string | null {
  const authorization = bearer.exec(ctx.get('Authorization'))?.[1];
  const candidates = [
    parameter(ctx, 'private_token'),
    ctx.get('Private-Token'),
    parameter(ctx, 'access_token'),
    authorization,
    parameter(ctx, 'bearer_token'),
  ];
  return candidates.find((candidate) => candidate) ?? null;
}

/** A list or an object is shown as a token, too, and is nobody's. */
const parameter = (ctx: Koa.Context, name: string): string | undefined => {
  const value = ctx.request.body?.[name] ?? queryOf(ctx)[name];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? 'no token' : String(value);
};

function refuse(ctx: Koa.Context, { status, body }: Explanation): void {
  ctx.status = status;
  ctx.res.setHeader('Content-Type', 'application/json');
  ctx.body = JSON.stringify(body);
}

/**
 * Refuses a token of the header or the query that is not good before anything of the body is read;
 * one in the body is judged with all others by `authenticate`.
 */
export const refuseBadToken =
  (credentials: Pick<Credentials, 'ofToken'>): Koa.Middleware =>
  async (ctx, next) => {
    const token = ctx.method === 'GET' ? null : tokenOf(ctx);
    if (token && !(await credentials.ofToken(token))) return refuse(ctx, refused.anonymous);
    await next();
  };

/**
 * Finds out who asks, and in whose place. A token that is shown must be good, also where none is
 * needed; what it is good for is judged where the endpoint is known.
 */
export const authenticate =
  (credentials: Credentials, apiPrefix: string): Koa.Middleware =>
  async (ctx, next) => {
    const token = tokenOf(ctx);
    const credential = token
      ? await credentials.ofToken(token)
      : await signedIn(ctx, credentials, apiPrefix);
    if (token && !credential) return refuse(ctx, refused.anonymous);
    ctx.state.credential = credential;
    ctx.state.viewer = credential?.viewer ?? null;
    const asked = askedFor(ctx);
    if (asked !== undefined) {
      const substituted = await substitute(asked, credential, credentials);
      if ('status' in substituted) return refuse(ctx, substituted);
      ctx.state.viewer = substituted.viewer;
      ctx.state.sudoerId = substituted.sudoerId;
    }
    await next();
  };

/** By the browser's session; it only reads the API, where no form tells our pages from others'. */
async function signedIn(ctx: Koa.Context, credentials: Credentials, apiPrefix: string) {
  const isReading = ctx.method === 'GET' || ctx.method === 'HEAD';
  const cookie = isReading || !ctx.path.startsWith(`${apiPrefix}/`) ? sessionCookie(ctx) : null;
  return cookie ? credentials.ofSession(cookie) : null;
}

/** Where no endpoint says otherwise a token is good for everything or for nothing. */
export const requireApiScope: Koa.Middleware = (ctx, next) => {
  const refusal = scopeRefusal(ctx.state.credential);
  return refusal ? refuse(ctx, refusal) : next();
};
