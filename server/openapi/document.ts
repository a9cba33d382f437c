import manifest from '../../package.json' with { type: 'json' };
import { sections } from '../../rest-facade/index.ts';
import { oauthPrefix, oauthRoutes } from '../../rest-facade/oauth/index.ts';
import { oauthMetadataFile, openidMetadataFile } from '../../rest-facade/oauth/metadata.ts';
import { openApiDocument } from '../../rest-facade/openapi/document.ts';
import { webhookKinds } from '../../schema/hook-payloads/index.ts';
import { schema } from '../../schema/index.ts';
import { resources } from '../../soap-facade/resources/index.ts';
import { placeholderUrl } from './location.ts';

/** The titles of SOAP methods are those of their endpoints. */
const titles = new Map(
  resources.flatMap(({ methods }) =>
    Object.values(methods).map(([endpoint, title, description]) => [
      endpoint as string,
      { title, ...(description !== undefined && { description }) },
    ]),
  ),
);

/** The OpenAPI document of REST and OAuth. */
export const restDocument = () =>
  openApiDocument(
    [
      { prefix: '/api/v4', sections, kind: 'rest' },
      {
        prefix: oauthPrefix,
        sections: [
          {
            title: 'OAuth',
            description: 'Tokens of applications (RFC 6749, 7009 and 7662), and OpenID Connect.',
            routes: oauthRoutes,
          },
        ],
        kind: 'oauth',
      },
    ],
    schema,
    {
      url: placeholderUrl,
      version: manifest.version,
      files: [oauthMetadataFile, openidMetadataFile],
      webhooks: webhookKinds,
      titles,
    },
  );
