import type Koa from 'koa';
import { type Explanation, refused } from '../../rest-facade/kernel/errors.ts';
import { queryOf } from '../../rest-facade/kernel/query.ts';
import { scopeRefusal } from '../../rest-facade/kernel/scopes.ts';
import type { Credentials } from '../accounts/credentials.ts';
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
  (credentials: Credentials): Koa.Middleware =>
  async (ctx, next) => {
    const token = tokenOf(ctx);
    const credential = token ? await credentials.ofToken(token) : null;
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

/** Where no endpoint says otherwise a token is good for everything or for nothing. */
export const requireApiScope: Koa.Middleware = (ctx, next) => {
  const refusal = scopeRefusal(ctx.state.credential);
  return refusal ? refuse(ctx, refusal) : next();
};
