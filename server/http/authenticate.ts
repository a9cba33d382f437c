import type Koa from 'koa';
import { respond } from '../../rest-facade/kernel/answer.ts';
import { refused } from '../../rest-facade/kernel/errors.ts';
import { queryOf } from '../../rest-facade/kernel/query.ts';
import { scopeRefusal } from '../../rest-facade/kernel/scopes.ts';
import type { Outcome } from '../../schema/client/endpoint.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import type { SignInLimits } from '../../schema/ports/sign-in-limits.ts';
import type { Credential } from '../../schema/sessions/viewer.ts';
import type { Credentials } from '../accounts/credentials.ts';
import { identifyCaller } from '../scheduling/scope.ts';
import { sessionCookie } from './browser-session.ts';
import type { JobAuthentication } from './job-token.ts';
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
 * Refuses an invalid token in the header or the query before the body is read, which is read for the user of a
 * valid one. A token in the body is checked by `authenticate`.
 */
export const refuseBadToken =
  (parts: RefusalParts): Koa.Middleware =>
  async (ctx, next) => {
    const token = ctx.method === 'GET' || isAboutTokens(ctx) ? null : tokenOf(ctx);
    const credential = token ? await parts.credentials.ofToken(token) : null;
    if (token && !credential) return respond(ctx, await refusalOf(token, ctx, parts));
    if (credential) identifyCaller(credential.viewer);
    await next();
  };

interface Parts extends RefusalParts {
  readonly credentials: Credentials;
  readonly jobOf: JobAuthentication;
}

/**
 * Identifies the caller, and the user they act as by `sudo`. A token must be valid, even where none
 * is required. Its scopes are checked by the endpoint. `identify` does the same again for a long
 * response: null if the credential is no longer valid.
 */
export const authenticate =
  (parts: Parts, apiPrefix: string): Koa.Middleware =>
  async (ctx, next) => {
    const { credentials } = parts;
    const token = isAboutTokens(ctx) ? null : tokenOf(ctx);
    const credential = await credentialOf(token, ctx, parts, apiPrefix);
    if (credential && 'status' in credential) return respond(ctx, credential);
    if (token && !credential) return respond(ctx, await refusalOf(token, ctx, parts));
    ctx.state.credential = credential;
    const caller = await callerOf(credential, ctx, credentials, apiPrefix);
    if ('status' in caller) return respond(ctx, caller);
    ctx.state.viewer = caller.viewer;
    identifyCaller(caller.viewer);
    ctx.state.sudoerId = caller.sudoerId;
    ctx.state.identify = async (): Promise<Identified | null> => {
      const current = await credentialOf(token, ctx, parts, apiPrefix);
      if (current && 'status' in current) return null;
      if ((credential && !current) || scopeRefusal(current)) return null;
      const now = await callerOf(current, ctx, credentials, apiPrefix);
      return 'status' in now ? null : now;
    };
    await next();
  };

/** The user of a request. */
interface Identified {
  /** Null for an anonymous user. */
  readonly viewer: Viewer | null;
  /** The administrator who acts as the viewer. */
  readonly sudoerId: number | null;
}

async function credentialOf(
  token: string | null,
  ctx: Koa.Context,
  { credentials, jobOf }: Parts,
  apiPrefix: string,
): Promise<Credential | Outcome | null> {
  if (token) return credentials.ofToken(token);
  return (await jobOf(ctx)) ?? signedIn(ctx, credentials, apiPrefix);
}

/** The user of a credential, or in the API the user named by `sudo`; else a refusal. */
async function callerOf(
  credential: Credential | null,
  ctx: Koa.Context,
  credentials: Credentials,
  apiPrefix: string,
): Promise<Identified | Outcome> {
  const isApi = ctx.path === '/graphql' || ctx.path.startsWith(`${apiPrefix}/`);
  const sudo = isApi ? requestedUser(ctx) : undefined;
  return sudo === undefined
    ? { viewer: credential?.viewer ?? null, sudoerId: null }
    : substitute(sudo, credential, credentials);
}

/** Authenticates by session cookie. In the API it can only read: no form token protects writes. */
async function signedIn(
  ctx: Koa.Context,
  credentials: Credentials,
  apiPrefix: string,
): Promise<Credential | null> {
  const isReading = ctx.method === 'GET' || ctx.method === 'HEAD';
  const cookie = isReading || !ctx.path.startsWith(`${apiPrefix}/`) ? sessionCookie(ctx) : null;
  return cookie ? credentials.ofSession(cookie) : null;
}

/** Outside REST a token needs the scope `api`. */
export const requireApiScope: Koa.Middleware = (ctx, next) => {
  const refusal = scopeRefusal(ctx.state.credential);
  return refusal ? respond(ctx, refusal) : next();
};
