import manifest from '../../package.json' with { type: 'json' };
import { sections } from '../../rest-facade/index.ts';
import { oauthPrefix, oauthRoutes } from '../../rest-facade/oauth/index.ts';
import { openApiDocument } from '../../rest-facade/openapi/document.ts';
import { schema } from '../../schema/index.ts';
import { placeholderUrl } from './location.ts';

/** The OpenAPI document of REST and OAuth. */
export const restDocument = () =>
  openApiDocument(
    [
      { prefix: '/api/v4', sections, hasCredentials: true },
      {
        prefix: oauthPrefix,
        sections: [{ title: 'OAuth', routes: oauthRoutes }],
        hasCredentials: false,
      },
    ],
    schema,
    { url: placeholderUrl, version: manifest.version },
  );
