import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { sshKeyFields } from './entities/ssh-key.ts';
import { accountFields, ownUser } from './entities/user.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, shapeOf } from './kernel/shape.ts';

const list = graphql(
  `query SshKeys($id: Int, $page: Int, $perPage: Int) {
    page: sshKeys(userId: $id, page: $page, perPage: $perPage) { total nodes { ...SshKeyFields } }
  }`,
  [sshKeyFields],
);

const create = graphql(
  `mutation AddSshKey($id: Int, $title: String!, $key: String!, $expires_at: DateTime) {
    result: createSshKey(userId: $id, title: $title, key: $key, expiresAt: $expires_at) {
      ...SshKeyFields
    }
  }`,
  [sshKeyFields],
);

const remove = graphql(
  'mutation RemoveSshKey($id: Int, $key_id: Int!) { deleteSshKey(userId: $id, id: $key_id) }',
);

const own = { access: 'signed in' } as const;
const ofUser = { access: 'admin', digits: ['id'] } as const;
const user = { id: p.id() };
const keyParams = { key_id: p.id() };
const newKey = { title: p.text(), key: p.text(), expires_at: p.time().optional() };

/** The caller's public keys, and another user's for administrators (v4-behaviour 3.10). */
export const sshKeys = [
  route({
    ...own,
    method: 'get',
    path: '/user/keys',
    scopes: ['read_user'],
    params: z.object({}),
    document: list,
    variables: (params) => params,
  }),
  route({
    ...own,
    method: 'get',
    path: '/user/keys/:key_id',
    scopes: ['read_user'],
    params: z.object(keyParams),
    document: graphql(
      'query SshKey($key_id: Int!) { result: sshKey(id: $key_id) { ...SshKeyFields } }',
      [sshKeyFields],
    ),
  }),
  route({
    ...own,
    method: 'post',
    path: '/user/keys',
    params: z.object(newKey),
    document: create,
    variables: (params) => params,
  }),
  route({
    ...own,
    method: 'delete',
    path: '/user/keys/:key_id',
    params: z.object(keyParams),
    document: remove,
    variables: (params) => params,
  }),
  route({
    ...ofUser,
    method: 'get',
    path: '/users/:id/keys',
    scopes: ['read_user'],
    params: z.object(user),
    document: list,
  }),
  route({
    ...ofUser,
    method: 'post',
    path: '/users/:id/keys',
    params: z.object({ ...user, ...newKey }),
    document: create,
  }),
  route({
    ...ofUser,
    method: 'delete',
    path: '/users/:id/keys/:key_id',
    params: z.object({ ...user, ...keyParams }),
    document: remove,
  }),
  route({
    method: 'get',
    path: '/keys/:id',
    access: 'admin',
    params: z.object(user),
    document: graphql(
      `query RegisteredKey($id: Int!) {
        result: registeredKey(id: $id) { ...SshKeyFields user { ...AccountFields } }
      }`,
      [sshKeyFields, accountFields],
    ),
    response: changed('SshKeyWithUser', sshKeyFields, [], {
      user: shapeOf(ownUser).nullable().describe('The owner of the key.'),
    }),
    reshape: (key) => ({ ...key, user: key.user && ownUser(key.user) }),
  }),
];
