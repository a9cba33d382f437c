import type Koa from 'koa';
import type { OauthErrorCode } from '../../../schema/client/oauth-errors.ts';
import { isStorable } from '../../../schema/kernel/storable.ts';
import type { Visit } from '../kernel/page.ts';

const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'request',
  'request_uri',
] as const;

/** An authorization request, from the query or from our form. */
export type OauthRequest = { readonly client_id: string; readonly redirect_uri: string } & {
  readonly [Name in (typeof names)[number]]?: string;
};

/** Longer than any address a browser would follow. */
const longest = 8_192;

/**
 * Reads a request from a query or a form. Null if a parameter is repeated (RFC 6749, 3.1) or holds
 * invalid characters: then even its redirect URI is not trustworthy.
 */
export function readRequest(
  given: Koa.Context['query'] | Record<string, unknown>,
): OauthRequest | null {
  const read: Partial<Record<(typeof names)[number], string>> = {};
  for (const name of names) {
    const value: unknown = given[name];
    if (value === undefined || (value === '' && name !== 'state')) continue;
    if (typeof value !== 'string' || value.length > longest) return null;
    if (!isStorable(value)) return null;
    read[name] = value;
  }
  return { client_id: '', redirect_uri: '', ...read };
}

/** The same as variables of a document, with the session of the browser. */
export const variablesOf = (request: OauthRequest, { session }: Pick<Visit, 'session'>) => ({
  session,
  clientId: request.client_id,
  redirectUri: request.redirect_uri,
  responseType: request.response_type ?? null,
  responseMode: request.response_mode ?? null,
  scope: request.scope ?? null,
  codeChallenge: request.code_challenge ?? null,
  codeChallengeMethod: request.code_challenge_method ?? null,
  nonce: request.nonce ?? null,
  prompt: request.prompt ?? null,
  maxAge: request.max_age ?? null,
  requestObject: request.request ?? null,
  requestUri: request.request_uri ?? null,
});

/** Whether the user must not be asked anything (OpenID Connect Core, 3.1.2.1). */
export const isSilent = ({ prompt = '' }: OauthRequest): boolean =>
  prompt.split(' ').includes('none');

/** The request to continue with after the user signed in: nothing in it asks for that again. */
export function afterSignIn({ prompt = '', max_age: _, ...request }: OauthRequest): OauthRequest {
  const rest = prompt
    .split(' ')
    .filter((word) => word !== 'login' && word !== 'select_account')
    .join(' ');
  return rest === '' ? request : { ...request, prompt: rest };
}

/**
 * The same as a query string: browsers change the line ends in form fields, but nothing in an
 * address.
 */
export const queryOf = (request: OauthRequest): string =>
  new URLSearchParams(
    names.flatMap((name) => {
      const value = request[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ).toString();

/**
 * The redirect URI with the response, after `?` for a code and after `#` for tokens or if the
 * application requested it, and with the request's `state`. The URI has been compared with the
 * registered ones.
 */
export function backTo(
  { redirect_uri, response_type = '', response_mode, state }: OauthRequest,
  answer: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams({
    ...answer,
    ...(state !== undefined && { state }),
  }).toString();
  const address = new URL(redirect_uri);
  const isOfTokens = /(?:^| )(?:id_)?token(?: |$)/.test(response_type);
  if (isOfTokens || response_mode === 'fragment') address.hash = parameters;
  else address.search = address.search === '' ? parameters : `${address.search}&${parameters}`;
  return address.href;
}

/** Errors shown to the user: the application or its redirect URI is not verified. */
export const isForPeople = (code: OauthErrorCode): boolean =>
  code === 'invalid_client' || code === 'invalid_redirect_uri';

/**
 * The Content-Security-Policy sources for the consent form's targets. Browsers check each
 * redirect of the application against them, so the application's host alone would not do.
 */
export function formTargetsOf(redirectUri: string): readonly string[] {
  const { protocol } = new URL(redirectUri);
  return protocol === 'http:' ? ['http:', 'https:'] : [protocol];
}
