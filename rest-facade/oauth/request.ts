import type { Context, Middleware } from 'koa';
import type { Outcome } from '../../schema/client/endpoint.ts';
import { type ReportOutage, unavailableOf } from '../../schema/client/execute.ts';
import { respond } from '../kernel/answer.ts';
import { parseParameters, queryOf } from '../kernel/query.ts';
import { explainOauth, oauthError } from './errors.ts';

const type = 'application/json; charset=utf-8';

/** Everything below `/oauth` except for the consent pages. */
const isOurs = ({ path }: Context) =>
  path.startsWith('/oauth/') && !/^\/oauth\/authorize(?:\/|$)/.test(path);

/** A request that cannot be parsed, which the other endpoints answer with other texts. */
const isUnreadable = (error: unknown): error is Error & { headers?: Record<string, string> } => {
  const { expose, status } = error as { expose?: unknown; status?: unknown };
  return error instanceof Error && expose === true && typeof status === 'number' && status < 500;
};

function unreadable(error: unknown): Outcome {
  const { headers, ...outcome } = oauthError('invalid_request');
  const isClosing = isUnreadable(error) && error.headers?.Connection;
  return { ...outcome, headers: { ...headers, ...(isClosing && { Connection: 'close' }) } };
}

/**
 * Wraps OAuth requests, including the parsing of their bodies: sets the response headers, and the
 * errors for malformed requests (RFC 6749, 5.1 and 5.2).
 */
export const oauthAnswers =
  (reportOutage: ReportOutage): Middleware =>
  async (ctx, next) => {
    if (!isOurs(ctx)) return next();
    try {
      // repeated parameters must be detectable
      ctx.state.query = parseParameters(ctx.querystring, 'combine');
      await next();
    } catch (error) {
      const unavailable = explainOauth(unavailableOf(error, reportOutage, ctx.state.requestId));
      if (!unavailable && !isUnreadable(error)) throw error;
      respond(ctx, unavailable ?? unreadable(error));
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Pragma', 'no-cache');
    if (ctx.res.getHeader('Content-Type') === 'application/json') {
      ctx.res.setHeader('Content-Type', type);
    }
  };

/**
 * Runs after the body parser: merges all parameters of a request, including its header, into one
 * map.
 */
export const oauthParameters: Middleware = (ctx, next) => {
  if (!isOurs(ctx)) return next();
  const query = given(queryOf(ctx));
  const body = given(ctx.request.body ?? {});
  const refusal = Object.keys(body).some((name) => Object.hasOwn(query, name))
    ? oauthError('invalid_request')
    : null;
  const params: Record<string, unknown> = { ...query, ...body };
  const refused = refusal ?? takeAuthorization(ctx.get('Authorization'), params);
  if (refused) return respond(ctx, refused);
  ctx.state.query = {};
  ctx.request.body = params;
  return next();
};

/** A parameter without a value counts as omitted (RFC 6749, 3.2). */
const given = (params: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).filter(
      ([name, value]) => value !== '' && value !== null && name !== '__proto__',
    ),
  );

const basic = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const bearer = /^Bearer +(\S+) *$/i;
const longest = 8192;

/** Adds the header's client or token to the parameters; rejects a client given twice. */
function takeAuthorization(header: string, params: Record<string, unknown>): Outcome | null {
  const token = bearer.exec(header)?.[1];
  if (token !== undefined) params.bearer_token = token;
  if (!/^Basic(?: |$)/i.test(header)) return null;
  const encoded = header.length <= longest ? basic.exec(header)?.[1] : undefined;
  const [id, secret] = encoded === undefined ? [] : pairOf(encoded);
  if (id === undefined || secret === undefined) return oauthError('invalid_client');
  const isTwice = params.client_secret !== undefined || (params.client_id ?? id) !== id;
  if (isTwice) return oauthError('invalid_request');
  Object.assign(params, { client_id: id, client_secret: secret });
  return null;
}

/** Both parts were form-encoded before they were joined (RFC 6749, 2.3.1). */
function pairOf(encoded: string): readonly string[] {
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 0) return [];
  try {
    return [pair.slice(0, colon), pair.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    );
  } catch {
    return [];
  }
}
