import { z } from 'zod';
import { graphql } from '../../schema/client/graphql.ts';
import { route } from '../kernel/route.ts';
import { text } from './client.ts';
import { seconds } from './instant.ts';

const show = route({
  method: 'get',
  path: '/token/info',
  access: 'anyone',
  params: z.object({ access_token: text(), bearer_token: text() }),
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
