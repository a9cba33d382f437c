import type { Middleware } from 'koa';

const metadataPath = '/.well-known/oauth-authorization-server';

/** OAuth server metadata (RFC 8414). `url` is the public base URL. */
function metadataOf(url: string) {
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
    if (ctx.path !== metadataPath) return next();
    ctx.state.route = metadataPath;
    ctx.set('Access-Control-Allow-Origin', '*');
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    ctx.status = isRead ? 200 : 405;
    if (!isRead) ctx.set('Allow', 'GET, HEAD');
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
    ctx.body = isRead ? body : JSON.stringify({ error: '405 Not Allowed' });
  };
}
