import type Koa from 'koa';
import { respond } from '../../rest-facade/kernel/answer.ts';
import { refused } from '../../rest-facade/kernel/errors.ts';
import { queryOf } from '../../rest-facade/kernel/query.ts';
import { scopeRefusal } from '../../rest-facade/kernel/scopes.ts';
import type { Outcome } from '../../schema/client/endpoint.ts';
import type { SignInLimits } from '../../schema/ports/sign-in-limits.ts';
import type { Credentials } from '../accounts/credentials.ts';
import { sessionCookie } from './browser-session.ts';
import { requestedUser, substitute } from './sudo.ts';

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

/** Why a token is not good, as far as its bearer may know (v4-behaviour 1.3). */
async function refusalOf(
  token: string,
  ctx: Koa.Context,
  { credentials, signInLimits }: RefusalParts,
): Promise<Outcome> {
  const lapse = await credentials.lapseOf(token);
  if (lapse) return refused[lapse];
  const retryAfter = await signInLimits.countWrongToken(ctx.ip);
  return retryAfter > 0 ? refused.throttled(retryAfter) : refused.anonymous;
}

interface RefusalParts {
  readonly credentials: Pick<Credentials, 'ofToken' | 'lapseOf'>;
  readonly signInLimits: Pick<SignInLimits, 'countWrongToken'>;
}

/** Where tokens are made and judged none is a credential: it is what the request is about. */
const isAboutTokens = (ctx: Koa.Context) => ctx.path.startsWith('/oauth/');

/**
 * Refuses a token of the header or the query that is not good before anything of the body is read;
 * one in the body is judged with all others by `authenticate`.
 */
export const refuseBadToken =
  (parts: RefusalParts): Koa.Middleware =>
  async (ctx, next) => {
    const token = ctx.method === 'GET' || isAboutTokens(ctx) ? null : tokenOf(ctx);
    if (token && !(await parts.credentials.ofToken(token))) {
      return respond(ctx, await refusalOf(token, ctx, parts));
    }
    await next();
  };

/**
 * Finds out who asks, and in whose place. A token that is shown must be good, also where none is
 * needed; what it is good for is judged where the endpoint is known.
 */
export const authenticate =
  (
    parts: RefusalParts & { readonly credentials: Credentials },
    apiPrefix: string,
  ): Koa.Middleware =>
  async (ctx, next) => {
    const { credentials } = parts;
    const isAboutToken = isAboutTokens(ctx);
    const token = isAboutToken ? null : tokenOf(ctx);
    const credential = token
      ? await credentials.ofToken(token)
      : await signedIn(ctx, credentials, apiPrefix);
    if (token && !credential) return respond(ctx, await refusalOf(token, ctx, parts));
    ctx.state.credential = credential;
    ctx.state.viewer = credential?.viewer ?? null;
    const isApi = ctx.path === '/graphql' || ctx.path.startsWith(`${apiPrefix}/`);
    const asked = isApi ? requestedUser(ctx) : undefined;
    if (asked !== undefined) {
      const substituted = await substitute(asked, credential, credentials);
      if ('status' in substituted) return respond(ctx, substituted);
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
  return refusal ? respond(ctx, refusal) : next();
};
