import { z } from 'zod';
import { graphql } from '../../schema/client/graphql.ts';
import { route } from '../kernel/route.ts';
import { clientOf, clientParams, text } from './client.ts';
import { seconds } from './instant.ts';

const show = route({
  method: 'post',
  path: '/introspect',
  access: 'anyone',
  status: 200,
  params: z.object({ ...clientParams, token: text() }),
  document: graphql(
    `query IntrospectOauthToken($token: String!, $client: OauthClientInput) {
      introspectOauthToken(token: $token, client: $client) {
        userId username applicationUid scopes isRefreshToken createdAt expiresAt
      }
    }`,
  ),
  variables: (given) => ({ token: given.token ?? '', client: clientOf(given) }),
  reshape: ({ introspectOauthToken: found }, { url }) =>
    found
      ? {
          active: true,
          scope: found.scopes.join(' '),
          client_id: found.applicationUid,
          ...(found.userId !== null && { username: found.username, sub: String(found.userId) }),
          ...(!found.isRefreshToken && { token_type: 'bearer' }),
          exp: seconds(found.expiresAt),
          iat: seconds(found.createdAt),
          iss: url,
        }
      : { active: false },
});

export const introspect = [show];
