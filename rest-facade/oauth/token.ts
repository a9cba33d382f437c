import { z } from 'zod';
import { graphql } from '../../schema/client/graphql.ts';
import type { OauthErrorCode } from '../../schema/client/oauth-errors.ts';
import { Refusal } from '../kernel/answer.ts';
import { route } from '../kernel/route.ts';
import { entity, s } from '../kernel/shape.ts';
import { clientOf, clientParams, text } from './client.ts';
import { oauthError } from './errors.ts';
import { seconds } from './instant.ts';

const params = z.object({
  ...clientParams,
  grant_type: text().describe('How the token is requested: `authorization_code` and so on.'),
  code: text().describe('The authorization code.'),
  redirect_uri: text().describe('The address to which the code was sent.'),
  code_verifier: text().describe('The verifier of the code challenge (RFC 7636).'),
  username: text().describe('The username, of the grant type `password`.'),
  password: text().describe('The password.'),
  refresh_token: text().describe('The refresh token.'),
  scope: text().describe('The scopes, separated by blanks.'),
});

type Params = z.infer<typeof params>;

function refuse(code: OauthErrorCode): never {
  throw new Refusal(oauthError(code));
}

const needed = (value: string | undefined): string => value ?? refuse('invalid_request');

/** The grant in a token request, by its type (RFC 6749, 4). */
function grantOf(given: Params) {
  const { scope } = given;
  switch (needed(given.grant_type)) {
    case 'authorization_code':
      return {
        authorizationCode: {
          code: needed(given.code),
          redirectUri: needed(given.redirect_uri),
          codeVerifier: given.code_verifier,
        },
      };
    case 'password':
      return {
        password: { username: needed(given.username), password: needed(given.password), scope },
      };
    case 'refresh_token':
      return { refreshToken: { refreshToken: needed(given.refresh_token), scope } };
    case 'client_credentials':
      return { clientCredentials: { scope } };
    default:
      return refuse('unsupported_grant_type');
  }
}

const create = route({
  method: 'post',
  path: '/token',
  access: 'anyone',
  status: 200,
  title: 'Request an access token',
  authentication: 'client',
  response: entity('AccessToken', {
    access_token: s.text().describe('The access token.'),
    token_type: s.choice(['bearer']).describe('The type of the token.'),
    expires_in: s.int().describe('The seconds until it expires.'),
    refresh_token: s.text().optional().describe('Requests the next access token.'),
    scope: s.text().describe('The scopes, separated by blanks.'),
    created_at: s.int().describe('When it was created, in seconds since 1970.'),
    id_token: s
      .text()
      .optional()
      .describe('The ID token of OpenID Connect, with the scope `openid`.'),
  }),
  params,
  document: graphql(
    `mutation CreateOauthToken($grant: OauthGrantInput!, $client: OauthClientInput) {
      createOauthToken(grant: $grant, client: $client) {
        accessToken refreshToken scopes expiresIn createdAt idToken
      }
    }`,
  ),
  variables: (given) => ({ grant: grantOf(given), client: clientOf(given) }),
  reshape: ({ createOauthToken: made }) => ({
    access_token: made.accessToken,
    token_type: 'bearer' as const,
    expires_in: made.expiresIn,
    ...(made.refreshToken !== null && { refresh_token: made.refreshToken }),
    scope: made.scopes.join(' '),
    created_at: seconds(made.createdAt),
    ...(made.idToken !== null && { id_token: made.idToken }),
  }),
});

export const token = [create];
