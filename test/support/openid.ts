import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { type Application, callback, clientOf, type oauthOf } from './oauth.ts';

type Oauth = ReturnType<typeof oauthOf>;
type Texts = Readonly<Record<string, string>>;

/** The tokens that a client receives. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

/** The requests of an application that signs users in by OpenID Connect. */
export function openidOf(url: string, oauth: Oauth) {
  const keys = async () =>
    (await (await fetch(`${url}/oauth/discovery/keys`)).json()) as JSONWebKeySet;

  const request = (application: Application, more: Texts = {}) => ({
    client_id: application.uid,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    ...more,
  });

  /** The tokens after the user's consent. */
  const tokens = async (cookie: string, application: Application, more: Texts = {}) => {
    const { body } = await oauth.post('/token', {
      grant_type: 'authorization_code',
      code: await oauth.codeFor(cookie, request(application, more)),
      redirect_uri: callback,
      ...clientOf(application),
    });
    return body as Tokens;
  };

  /** The header and the claims of an ID token; throws unless it is valid now. */
  const verify = async (idToken: string, { uid }: Application, published?: JSONWebKeySet) =>
    jwtVerify(idToken, createLocalJWKSet(published ?? (await keys())), {
      issuer: url,
      audience: uid,
      algorithms: ['RS256'],
    });

  /** Where the authorization endpoint redirects the browser, and its parameters. */
  const answer = async (response: Response) => {
    const location = response.headers.get('Location');
    const target = location === null ? null : new URL(location, url);
    return {
      status: response.status,
      to: target && target.origin + target.pathname,
      query: Object.fromEntries(target?.searchParams ?? []),
      fragment: Object.fromEntries(new URLSearchParams(target?.hash.slice(1))),
    };
  };

  return { keys, request, tokens, verify, answer };
}
