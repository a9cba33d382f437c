import { expect } from 'vitest';
import { numberOf } from './graphql.ts';
import { recordSecrets } from './logged-secrets.ts';
import type { TestUser } from './seed.ts';
import type { World } from './world.ts';

/** An application with its secret. */
export interface Application {
  readonly id: number;
  readonly uid: string;
  readonly secret: string;
}

export interface Traits {
  readonly name?: string;
  readonly redirectUris?: readonly string[];
  readonly scopes?: readonly string[];
  readonly isConfidential?: boolean;
  readonly isServiceWide?: boolean;
  readonly isTrusted?: boolean;
}

type Texts = Readonly<Record<string, string>>;

/** The status, the body, and the WWW-Authenticate header. */
export interface OauthResponse {
  readonly status: number;
  readonly body: unknown;
  readonly challenge: string | null;
}

export const callback = 'http://127.0.0.1:9/callback';

/** A code, an access token, a refresh token. */
export const hex64: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);

/** The response to a valid grant with `scope`. */
export const tokenShape = (scope = 'api') => ({
  access_token: hex64,
  token_type: 'bearer',
  expires_in: 7200,
  refresh_token: hex64,
  scope,
  created_at: expect.any(Number),
});

const texts = {
  invalid_request:
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  unauthorized_client: 'The client is not authorized to perform this request using this method.',
  unsupported_grant_type:
    'The authorization grant type is not supported by the authorization server.',
  unsupported_response_type: 'The authorization server does not support this response type.',
  access_denied: 'The resource owner or authorization server denied the request.',
  login_required: 'The user must sign in.',
  consent_required: 'The user must authorize the application.',
  request_not_supported: 'The authorization server does not support the parameter request.',
  request_uri_not_supported: 'The authorization server does not support the parameter request_uri.',
  invalid_token: 'The access token is invalid, expired or revoked.',
} as const;

/** The body of an OAuth error. */
export const errorBody = (error: keyof typeof texts) => ({
  error,
  error_description: texts[error],
});

/** A complete error response. */
export const oauthError = (error: keyof typeof texts): OauthResponse => ({
  status: 401,
  body: errorBody(error),
  challenge: `Bearer realm="Millrace", error="${error}", error_description="${texts[error]}"`,
});

const register = `mutation (
  $name: String!, $redirectUris: [URL!]!, $scopes: [TokenScope!]!, $isConfidential: Boolean!,
  $isServiceWide: Boolean, $isTrusted: Boolean
) {
  createOauthApplication(input: {
    name: $name, redirectUris: $redirectUris, scopes: $scopes, isConfidential: $isConfidential,
    isServiceWide: $isServiceWide, isTrusted: $isTrusted
  }) { secret application: oauthApplication { id uid } }
}`;

/** The OAuth requests of programs and browsers at one service. */
export function oauthOf({ url }: Pick<World, 'url'>) {
  const answerOf = async (response: Response): Promise<OauthResponse> => {
    const body: unknown = await response.json();
    recordSecrets(body);
    const { status, headers } = response;
    return { status, body, challenge: headers.get('WWW-Authenticate') };
  };

  /** Registers an application as a user. */
  const application = async (user: TestUser, traits: Traits = {}): Promise<Application> => {
    const { scopes = ['api', 'read_user', 'openid'], ...given } = traits;
    const variables = {
      name: 'Robot',
      redirectUris: [callback],
      scopes: scopes.map((scope) => scope.toUpperCase()),
      isConfidential: true,
      ...given,
    };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Private-Token': user.token },
      body: JSON.stringify({ query: register, variables }),
    });
    const { data } = (await response.json()) as {
      data: {
        createOauthApplication: { secret: string; application: { id: string; uid: string } };
      };
    };
    const { secret, application: created } = data.createOauthApplication;
    recordSecrets({ secret });
    return { id: numberOf(created.id), uid: created.uid, secret };
  };

  /** Posts a form to an OAuth endpoint. */
  const post = async (path: string, form: Texts, headers: Texts = {}): Promise<OauthResponse> =>
    answerOf(
      await fetch(`${url}/oauth${path}`, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers,
      }),
    );

  /** The access token and refresh token of a password grant. */
  const ofPassword = async (user: TestUser, more: Texts = {}) => {
    const grant = { grant_type: 'password', username: user.username, password: user.password };
    const { body } = await post('/token', { ...grant, ...more });
    return body as { readonly access_token: string; readonly refresh_token: string };
  };

  /** Signs a user in with the form; gives the session cookie. */
  const signIn = async (user: TestUser): Promise<string> => {
    const page = await fetch(`${url}/users/sign_in`);
    const form = { login: user.username, password: user.password };
    const response = await fetch(`${url}/users/sign_in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookieOf(page) },
      body: new URLSearchParams({ ...form, authenticity_token: await formTokenOf(page) }),
    });
    recordSecrets({ cookie: cookieOf(response).split('=')[1] ?? '' });
    return cookieOf(response);
  };

  const authorizeUrl = (request: Texts) => `${url}/oauth/authorize?${new URLSearchParams(request)}`;

  /** Requests the consent page. */
  const look = (cookie: string, request: Texts): Promise<Response> =>
    fetch(authorizeUrl(request), { redirect: 'manual', headers: { Cookie: cookie } });

  /** Submits the consent form; `more` are additional fields. */
  const consent = async (cookie: string, request: Texts, more: Texts = {}): Promise<Response> => {
    const anyPage = await fetch(`${url}/profile/applications`, { headers: { Cookie: cookie } });
    return fetch(`${url}/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie },
      body: new URLSearchParams({
        ...request,
        ...more,
        authenticity_token: await formTokenOf(anyPage),
      }),
    });
  };

  /** The authorization code after the user's consent. */
  const codeFor = async (cookie: string, request: Texts): Promise<string> => {
    const response = await consent(cookie, request);
    const code = new URL(response.headers.get('Location') ?? '').searchParams.get('code') ?? '';
    recordSecrets({ token: code });
    return code;
  };

  return { application, post, ofPassword, signIn, look, consent, codeFor, answerOf, authorizeUrl };
}

const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';

const formTokenOf = async (response: Response) =>
  /name="authenticity_token" value="([^"]+)"/.exec(await response.text())?.[1] ?? '';

/** The Authorization header with the client credentials. */
export const basicOf = ({ uid, secret }: Pick<Application, 'uid' | 'secret'>) => ({
  Authorization: `Basic ${Buffer.from(`${uid}:${secret}`).toString('base64')}`,
});

/** The client credentials as parameters. */
export const clientOf = ({ uid, secret }: Pick<Application, 'uid' | 'secret'>) => ({
  client_id: uid,
  client_secret: secret,
});
