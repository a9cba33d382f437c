import type { Middleware } from 'koa';
import type { z } from 'zod';
import { entity, s } from '../kernel/shape.ts';

const methods = s.list(s.text());

/** The fields of both documents. */
const common = {
  issuer: s.url().describe('The public URL of this service.'),
  authorization_endpoint: s.url().describe('The page on which users authorize applications.'),
  token_endpoint: s.url().describe('Where access tokens are requested.'),
  revocation_endpoint: s.url().describe('Where tokens are revoked (RFC 7009).'),
  introspection_endpoint: s.url().describe('Where tokens are introspected (RFC 7662).'),
  jwks_uri: s.url().describe('The keys that verify ID tokens.'),
  scopes_supported: s.list(s.text()).describe('The scopes of access tokens.'),
  response_types_supported: s.list(s.text()).describe('The kinds of authorization responses.'),
  response_modes_supported: s.list(s.text()).describe('The parts of the URL that they are in.'),
  grant_types_supported: s.list(s.text()).describe('The grants of access tokens.'),
  token_endpoint_auth_methods_supported: methods.describe(
    'How clients authenticate at the token endpoint.',
  ),
  revocation_endpoint_auth_methods_supported: methods.describe(
    'How clients authenticate at the revocation endpoint.',
  ),
  introspection_endpoint_auth_methods_supported: methods.describe(
    'How clients authenticate at the introspection endpoint.',
  ),
  code_challenge_methods_supported: s.list(s.text()).describe('The methods of PKCE (RFC 7636).'),
};

/** The endpoint of the metadata of OAuth, as the OpenAPI document shows it. */
export const oauthMetadataFile = {
  path: '/.well-known/oauth-authorization-server',
  tag: 'OAuth',
  title: 'Show the metadata of the authorization server',
  response: entity('OauthMetadata', common),
} as const;

/** The endpoint of the metadata of OpenID Connect. */
export const openidMetadataFile = {
  path: '/.well-known/openid-configuration',
  tag: 'OAuth',
  title: 'Show the configuration of OpenID Connect',
  response: entity('OpenidConfiguration', {
    ...common,
    userinfo_endpoint: s.url().describe('Where the claims about a user are requested.'),
    subject_types_supported: s
      .list(s.text())
      .describe('Whether all applications know a user by the same id.'),
    id_token_signing_alg_values_supported: s
      .list(s.text())
      .describe('The algorithms that sign ID tokens.'),
    claim_types_supported: s.list(s.text()).describe('The kinds of claims.'),
    claims_supported: s.list(s.text()).describe('The claims of ID tokens and of userinfo.'),
    prompt_values_supported: s.list(s.text()).describe('The values of the parameter `prompt`.'),
    claims_parameter_supported: s.flag().describe('Whether requests may name claims.'),
    request_parameter_supported: s.flag().describe('Whether requests may be signed.'),
    request_uri_parameter_supported: s.flag().describe('Whether requests may be references.'),
  }),
} as const;

/** OAuth server metadata (RFC 8414). `url` is the public base URL. */
function oauthMetadataOf(url: string): z.output<typeof oauthMetadataFile.response> {
  const authentication = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    revocation_endpoint: `${url}/oauth/revoke`,
    introspection_endpoint: `${url}/oauth/introspect`,
    jwks_uri: `${url}/oauth/discovery/keys`,
    scopes_supported: ['api', 'read_user', 'openid', 'profile', 'email'],
    response_types_supported: ['code', 'token', 'id_token', 'id_token token'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: [
      'authorization_code',
      'implicit',
      'password',
      'client_credentials',
      'refresh_token',
    ],
    token_endpoint_auth_methods_supported: [...authentication, 'none'],
    revocation_endpoint_auth_methods_supported: [...authentication, 'none'],
    introspection_endpoint_auth_methods_supported: authentication,
    code_challenge_methods_supported: ['plain', 'S256'],
  };
}

/** The configuration of OpenID Connect (OpenID Connect Discovery, 3). */
const openidMetadataOf = (url: string): z.output<typeof openidMetadataFile.response> => ({
  ...oauthMetadataOf(url),
  userinfo_endpoint: `${url}/oauth/userinfo`,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  claim_types_supported: ['normal'],
  claims_supported: [
    'iss',
    'sub',
    'aud',
    'exp',
    'iat',
    'auth_time',
    'nonce',
    'at_hash',
    'name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'email',
    'email_verified',
    'groups',
    'groups_direct',
  ],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  claims_parameter_supported: false,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
});

/** Serves the metadata documents; they are the same for all clients. */
export function oauthMetadata(url: string): Middleware {
  const bodies = new Map([
    [oauthMetadataFile.path as string, JSON.stringify(oauthMetadataOf(url))],
    [openidMetadataFile.path, JSON.stringify(openidMetadataOf(url))],
  ]);
  return (ctx, next) => {
    const body = bodies.get(ctx.path);
    if (body === undefined) return next();
    ctx.state.route = ctx.path;
    ctx.set('Access-Control-Allow-Origin', '*');
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    ctx.status = isRead ? 200 : 405;
    if (!isRead) ctx.set('Allow', 'GET, HEAD');
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
    ctx.body = isRead ? body : JSON.stringify({ error: '405 Not Allowed' });
  };
}
