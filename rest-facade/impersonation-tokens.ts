import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, s, shaped } from './kernel/shape.ts';

const tokenFields = graphql(`
  fragment ImpersonationTokenFields on ImpersonationToken {
    id name revoked: isRevoked created_at: createdAt scopes active: isActive expires_at: expiresAt
    token
  }
`);

const impersonationToken = shaped(
  changed('ImpersonationToken', tokenFields, [], {
    impersonation: s.flag().describe('Always true.'),
  }),
  (record: ResultOf<typeof tokenFields>) => ({ ...record, impersonation: true }),
);

const user = { id: p.id() };
const tokenParams = { ...user, impersonation_token_id: p.id() };

const list = route({
  method: 'get',
  path: '/users/:id/impersonation_tokens',
  access: 'admin',
  params: z.object({ ...user, state: p.choice(['all', 'active', 'inactive']).optional() }),
  document: graphql(
    `query ImpersonationTokens($id: Int!, $state: TokenState, $page: Int, $perPage: Int) {
      page: impersonationTokens(userId: $id, filter: { state: $state }, page: $page, perPage: $perPage) {
        total nodes { ...ImpersonationTokenFields }
      }
    }`,
    [tokenFields],
  ),
  variables: ({ state, ...params }) => ({
    ...params,
    state: state === 'all' ? undefined : state,
  }),
  reshape: impersonationToken,
});

const show = route({
  method: 'get',
  path: '/users/:id/impersonation_tokens/:impersonation_token_id',
  access: 'admin',
  params: z.object(tokenParams),
  document: graphql(
    `query ImpersonationToken($id: Int!, $impersonation_token_id: Int!) {
      result: impersonationToken(userId: $id, id: $impersonation_token_id) { ...ImpersonationTokenFields }
    }`,
    [tokenFields],
  ),
  reshape: impersonationToken,
});

const create = route({
  method: 'post',
  path: '/users/:id/impersonation_tokens',
  access: 'admin',
  params: z.object({
    ...user,
    name: p.text(),
    scopes: p.list().optional(),
    expires_at: p.date().optional(),
  }),
  document: graphql(
    `mutation CreateImpersonationToken(
      $id: Int!, $name: String!, $scopes: [String!]!, $expires_at: Date
    ) {
      creation: createImpersonationToken(
        userId: $id, name: $name, scopes: $scopes, expiresAt: $expires_at
      ) { result: impersonationToken { ...ImpersonationTokenFields } }
    }`,
    [tokenFields],
  ),
  variables: ({ scopes = [], ...params }) => ({ ...params, scopes }),
  reshape: impersonationToken,
});

const revoke = route({
  method: 'delete',
  path: '/users/:id/impersonation_tokens/:impersonation_token_id',
  access: 'admin',
  params: z.object(tokenParams),
  document: graphql(
    `mutation RevokeImpersonationToken($id: Int!, $impersonation_token_id: Int!) {
      revokeImpersonationToken(userId: $id, id: $impersonation_token_id) { id }
    }`,
  ),
});

/**
 * Tokens with which administrators act as a user. Responses contain tokens, so reading them needs
 * the scope `api`, unlike other reads of users.
 */
export const impersonationTokens = [list, show, create, revoke];
