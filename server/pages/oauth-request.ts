import type Koa from 'koa';
import type { OauthErrorCode } from '../../schema/client/oauth-errors.ts';

/** What an application asks for, as it came in the address or as our form carries it on. */
export interface OauthRequest {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly response_type?: string;
  readonly scope?: string;
  readonly state?: string;
  readonly code_challenge?: string;
  readonly code_challenge_method?: string;
}

const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

/** Longer than any address a browser would follow. */
const longest = 8_192;

/**
 * The request in an address or a form. Null for one that names something twice (RFC 6749, 3.1), or
 * holds what no text holds: then not even where it came from is to be believed.
 */
export function readRequest(
  given: Koa.Context['query'] | Record<string, unknown>,
): OauthRequest | null {
  const read: Partial<Record<(typeof names)[number], string>> = {};
  for (const name of names) {
    const value: unknown = given[name];
    if (value === undefined || (value === '' && name !== 'state')) continue;
    if (typeof value !== 'string' || value.length > longest) return null;
    if (value.includes('\0') || !value.isWellFormed()) return null;
    read[name] = value;
  }
  return { client_id: '', redirect_uri: '', ...read };
}

/** The same as variables of a document. */
export const variablesOf = (request: OauthRequest) => ({
  clientId: request.client_id,
  redirectUri: request.redirect_uri,
  responseType: request.response_type ?? null,
  scope: request.scope ?? null,
  codeChallenge: request.code_challenge ?? null,
  codeChallengeMethod: request.code_challenge_method ?? null,
});

/**
 * The same as a query: in an address nothing of it is changed, while browsers write the line ends of
 * fields anew.
 */
export const queryOf = (request: OauthRequest): string =>
  new URLSearchParams(
    names.flatMap((name) => {
      const value = request[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ).toString();

/**
 * The application's address with an answer in it, behind `?` for a code and behind `#` for a token,
 * and with the `state` it gave. The address was compared with what was registered before.
 */
export function backTo(
  { redirect_uri, response_type, state }: OauthRequest,
  answer: Readonly<Record<string, string>>,
): string {
  const said = new URLSearchParams({ ...answer, ...(state !== undefined && { state }) }).toString();
  const address = new URL(redirect_uri);
  if (response_type === 'token') address.hash = said;
  else address.search = address.search === '' ? said : `${address.search}&${said}`;
  return address.href;
}

/** Errors that are not to be told to the application: it is not known to be one, or to be there. */
export const isForPeople = (code: OauthErrorCode): boolean =>
  code === 'invalid_client' || code === 'invalid_redirect_uri';

/**
 * Where the form of consent may lead, in the words of a Content-Security-Policy. Browsers hold every
 * address against it to which the application leads on, so it is not only the application's host.
 */
export function formTargetsOf(redirectUri: string): readonly string[] {
  const { protocol } = new URL(redirectUri);
  return protocol === 'http:' ? ['http:', 'https:'] : [protocol];
}
