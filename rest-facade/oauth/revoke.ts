import { z } from 'zod';
import { graphql } from '../../schema/client/graphql.ts';
import { route } from '../kernel/route.ts';
import { s } from '../kernel/shape.ts';
import { clientOf, clientParams, text } from './client.ts';

const end = route({
  method: 'post',
  path: '/revoke',
  title: 'Revoke a token',
  authentication: 'client',
  response: s.object({}),
  access: 'anyone',
  status: 200,
  params: z.object({ ...clientParams, token: text().describe('The token to revoke.') }),
  document: graphql(
    `mutation RevokeOauthToken($token: String!, $client: OauthClientInput) {
      revokeOauthToken(token: $token, client: $client)
    }`,
  ),
  variables: (given) => ({ token: given.token ?? '', client: clientOf(given) }),
  reshape: () => ({}),
});

export const revoke = [end];
