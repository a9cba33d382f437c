import { routes } from '../../rest-facade/index.ts';
import { oauthPrefix, oauthRoutes } from '../../rest-facade/oauth/index.ts';
import { oauthPages } from '../../server/pages/oauth-authorize.ts';

/** `GET /projects/:id` for each endpoint that REST has, and those of OAuth. */
export const mountedEndpoints: readonly string[] = [
  ...routes,
  ...oauthRoutes.map(({ method, path }) => ({ method, path: `${oauthPrefix}${path}` })),
  ...oauthPages,
].map(({ method, path }) => `${method.toUpperCase()} ${path}`);
