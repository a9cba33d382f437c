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

/** The token from any place where v4 clients send it (v4-behaviour 1.5), or null. */
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

/** A list or object counts as an invalid token. */
const parameter = (ctx: Koa.Context, name: string): string | undefined => {
  const value = ctx.request.body?.[name] ?? queryOf(ctx)[name];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? 'no token' : String(value);
};

/** Why a token is invalid, as far as its bearer may learn (v4-behaviour 1.3). */
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

/** At the OAuth endpoints a token is a parameter, not a credential. */
const isAboutTokens = (ctx: Koa.Context) => ctx.path.startsWith('/oauth/');

/**
 * Refuses an invalid token in the header or the query before the body is read. A token in the body
 * is checked by `authenticate`.
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
 * Identifies the caller, and the user they act as by `sudo`. A token must be valid, even where none
 * is required. Its scopes are checked by the endpoint.
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
    const sudo = isApi ? requestedUser(ctx) : undefined;
    if (sudo !== undefined) {
      const substituted = await substitute(sudo, credential, credentials);
      if ('status' in substituted) return respond(ctx, substituted);
      ctx.state.viewer = substituted.viewer;
      ctx.state.sudoerId = substituted.sudoerId;
    }
    await next();
  };

/** Authenticates by session cookie. In the API it can only read: no form token protects writes. */
async function signedIn(ctx: Koa.Context, credentials: Credentials, apiPrefix: string) {
  const isReading = ctx.method === 'GET' || ctx.method === 'HEAD';
  const cookie = isReading || !ctx.path.startsWith(`${apiPrefix}/`) ? sessionCookie(ctx) : null;
  return cookie ? credentials.ofSession(cookie) : null;
}

/** Outside REST a token needs the scope `api`. */
export const requireApiScope: Koa.Middleware = (ctx, next) => {
  const refusal = scopeRefusal(ctx.state.credential);
  return refusal ? respond(ctx, refusal) : next();
};
