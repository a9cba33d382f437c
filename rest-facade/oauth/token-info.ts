import { z } from 'zod';
import { graphql } from '../../schema/client/graphql.ts';
import { route } from '../kernel/route.ts';
import { entity, s } from '../kernel/shape.ts';
import { text } from './client.ts';
import { seconds } from './instant.ts';

const show = route({
  method: 'get',
  path: '/token/info',
  title: 'Show an access token',
  authentication: 'token',
  response: entity('AccessTokenInfo', {
    resource_owner_id: s.id().nullable().describe('The id of the user; null for an application.'),
    scopes: s.list(s.text()).describe('The scopes.'),
    expires_in_seconds: s.int().describe('The seconds until it expires.'),
    application: s
      .object({ uid: s.text().nullable().describe('The Application ID.') })
      .describe('The application.'),
    created_at: s.int().describe('When it was created, in seconds since 1970.'),
  }),
  access: 'anyone',
  params: z.object({
    access_token: text().describe('The access token, unless the header has it.'),
    bearer_token: text().describe('The same as `access_token`.'),
  }),
  document: graphql(
    `query OauthTokenInfo($token: String!) {
      oauthTokenInfo(token: $token) { userId applicationUid scopes createdAt expiresAt }
    }`,
  ),
  variables: ({ access_token, bearer_token }) => ({ token: access_token ?? bearer_token ?? '' }),
  reshape: ({ oauthTokenInfo: info }) => ({
    resource_owner_id: info.userId,
    scopes: info.scopes,
    expires_in_seconds: Math.max(0, Math.ceil((Date.parse(info.expiresAt) - Date.now()) / 1000)),
    application: { uid: info.applicationUid },
    created_at: seconds(info.createdAt),
  }),
});

export const tokenInfo = [show];
