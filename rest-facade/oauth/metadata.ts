import type { Middleware } from 'koa';
import type { z } from 'zod';
import { entity, s } from '../kernel/shape.ts';

const methods = s.list(s.text());

/** The endpoint of the metadata, as the OpenAPI document shows it. */
export const oauthMetadataFile = {
  path: '/.well-known/oauth-authorization-server',
  tag: 'OAuth',
  title: 'Show the metadata of the authorization server',
  response: entity('OauthMetadata', {
    issuer: s.url().describe('The public URL of this service.'),
    authorization_endpoint: s.url().describe('The page on which users authorize applications.'),
    token_endpoint: s.url().describe('Where access tokens are requested.'),
    revocation_endpoint: s.url().describe('Where tokens are revoked (RFC 7009).'),
    introspection_endpoint: s.url().describe('Where tokens are introspected (RFC 7662).'),
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
  }),
} as const;

/** OAuth server metadata (RFC 8414). `url` is the public base URL. */
function metadataOf(url: string): z.output<typeof oauthMetadataFile.response> {
  const authentication = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    revocation_endpoint: `${url}/oauth/revoke`,
    introspection_endpoint: `${url}/oauth/introspect`,
    scopes_supported: ['api', 'read_user', 'openid'],
    response_types_supported: ['code', 'token'],
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

/** Serves the metadata document; it is the same for all clients. */
export function oauthMetadata(url: string): Middleware {
  const body = JSON.stringify(metadataOf(url));
  return (ctx, next) => {
    if (ctx.path !== oauthMetadataFile.path) return next();
    ctx.state.route = oauthMetadataFile.path;
    ctx.set('Access-Control-Allow-Origin', '*');
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    ctx.status = isRead ? 200 : 405;
    if (!isRead) ctx.set('Allow', 'GET, HEAD');
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
    ctx.body = isRead ? body : JSON.stringify({ error: '405 Not Allowed' });
  };
}
