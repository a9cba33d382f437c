import { z } from 'zod';
import { graphql } from '../../schema/client/graphql.ts';
import { route } from '../kernel/route.ts';
import { entity, s } from '../kernel/shape.ts';
import { clientOf, clientParams, text } from './client.ts';
import { seconds } from './instant.ts';

const show = route({
  method: 'post',
  path: '/introspect',
  title: 'Introspect a token',
  authentication: 'client',
  response: z.union([
    entity('ActiveToken', {
      active: z.literal(true).describe('The token is valid.'),
      scope: s.text().describe('The scopes, separated by blanks.'),
      client_id: s.text().describe('The Application ID.'),
      username: s.text().nullable().optional().describe('The username of the user.'),
      sub: s.text().optional().describe('The id of the user.'),
      token_type: s.text().optional().describe('The type of an access token.'),
      exp: s.int().describe('When it expires, in seconds since 1970.'),
      iat: s.int().describe('When it was created, in seconds since 1970.'),
      iss: s.url().describe('The address of the service.'),
    }),
    entity('InactiveToken', { active: z.literal(false).describe('The token is not valid.') }),
  ]),
  access: 'anyone',
  status: 200,
  params: z.object({ ...clientParams, token: text().describe('The token to introspect.') }),
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
          active: true as const,
          scope: found.scopes.join(' '),
          client_id: found.applicationUid,
          ...(found.userId !== null && { username: found.username, sub: String(found.userId) }),
          ...(!found.isRefreshToken && { token_type: 'bearer' }),
          exp: seconds(found.expiresAt),
          iat: seconds(found.createdAt),
          iss: url,
        }
      : { active: false as const },
});

export const introspect = [show];
