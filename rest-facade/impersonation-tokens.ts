import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const tokenFields = graphql(`
  fragment ImpersonationTokenFields on ImpersonationToken {
    id name isRevoked createdAt scopes isActive expiresAt token
  }
`);

const impersonationToken = (record: ResultOf<typeof tokenFields>) => ({
  id: record.id,
  name: record.name,
  revoked: record.isRevoked,
  created_at: record.createdAt,
  scopes: record.scopes,
  active: record.isActive,
  expires_at: record.expiresAt,
  token: record.token,
  impersonation: true,
});

const user = { id: p.id() };
const one = { ...user, impersonation_token_id: p.id() };

const list = route({
  method: 'get',
  path: '/users/:id/impersonation_tokens',
  access: 'admin',
  params: z.object({ ...user, state: p.choice(['all', 'active', 'inactive']).optional() }),
  document: graphql(
    `query ImpersonationTokens($userId: Int!, $state: TokenState, $page: Int, $perPage: Int) {
      page: impersonationTokens(userId: $userId, state: $state, page: $page, perPage: $perPage) {
        total nodes { ...ImpersonationTokenFields }
      }
    }`,
    [tokenFields],
  ),
  variables: ({ id, state, page, perPage }) => ({
    userId: id,
    state: state === 'all' ? undefined : state,
    page,
    perPage,
  }),
  reshape: impersonationToken,
});

const show = route({
  method: 'get',
  path: '/users/:id/impersonation_tokens/:impersonation_token_id',
  access: 'admin',
  params: z.object(one),
  document: graphql(
    `query ImpersonationToken($userId: Int!, $id: Int!) {
      result: impersonationToken(userId: $userId, id: $id) { ...ImpersonationTokenFields }
    }`,
    [tokenFields],
  ),
  variables: ({ id, impersonation_token_id }) => ({ userId: id, id: impersonation_token_id }),
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
      $userId: Int!, $name: String!, $scopes: [String!]!, $expiresAt: Date
    ) {
      result: createImpersonationToken(
        userId: $userId, name: $name, scopes: $scopes, expiresAt: $expiresAt
      ) { ...ImpersonationTokenFields }
    }`,
    [tokenFields],
  ),
  variables: ({ id, name, scopes = [], expires_at }) => ({
    userId: id,
    name,
    scopes,
    expiresAt: expires_at,
  }),
  reshape: impersonationToken,
});

const revoke = route({
  method: 'delete',
  path: '/users/:id/impersonation_tokens/:impersonation_token_id',
  access: 'admin',
  params: z.object(one),
  document: graphql(
    `mutation RevokeImpersonationToken($userId: Int!, $id: Int!) {
      revokeImpersonationToken(userId: $userId, id: $id) { id }
    }`,
  ),
  variables: ({ id, impersonation_token_id }) => ({ userId: id, id: impersonation_token_id }),
});

/**
 * Tokens with which administrators act as a user. Responses contain tokens, so reading them needs
 * the scope `api`, unlike other reads of users.
 */
export const impersonationTokens = [list, show, create, revoke];
