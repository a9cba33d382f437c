import { routes } from '../../rest-facade/index.ts';
import { oauthPrefix, oauthRoutes } from '../../rest-facade/oauth/index.ts';
import { oauthPages } from '../../server/pages/account/oauth-authorize.ts';

/** `GET /projects/:id` and so on for each endpoint of REST and OAuth. */
export const mountedEndpoints: readonly string[] = [
  ...routes,
  ...oauthRoutes.map(({ method, path }) => ({ method, path: `${oauthPrefix}${path}` })),
  ...oauthPages,
].map(({ method, path }) => `${method.toUpperCase()} ${path}`);
