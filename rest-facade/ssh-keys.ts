import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { sshKey, sshKeyFields } from './entities/ssh-key.ts';
import { accountFields, ownUser } from './entities/user.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const list = graphql(
  `query SshKeys($userId: Int, $page: Int, $perPage: Int) {
    page: sshKeys(userId: $userId, page: $page, perPage: $perPage) { total nodes { ...SshKeyFields } }
  }`,
  [sshKeyFields],
);

const show = graphql('query SshKey($id: Int!) { result: sshKey(id: $id) { ...SshKeyFields } }', [
  sshKeyFields,
]);

const create = graphql(
  `mutation AddSshKey($userId: Int, $title: String!, $key: String!) {
    result: addSshKey(userId: $userId, title: $title, key: $key) { ...SshKeyFields }
  }`,
  [sshKeyFields],
);

const remove = graphql(
  'mutation RemoveSshKey($userId: Int, $id: Int!) { removeSshKey(userId: $userId, id: $id) }',
);

const own = { access: 'signed in' } as const;
const theirs = { access: 'admin', digits: ['id'] } as const;
const user = { id: p.id() };
const one = { key_id: p.id() };
const written = { title: p.text(), key: p.text() };

/** The caller's public keys, and another user's for administrators (v4-behaviour 3.10). */
export const sshKeys = [
  route({
    ...own,
    method: 'get',
    path: '/user/keys',
    scopes: ['read_user'],
    params: z.object({}),
    document: list,
    variables: ({ page, perPage }) => ({ page, perPage }),
    reshape: sshKey,
  }),
  route({
    ...own,
    method: 'get',
    path: '/user/keys/:key_id',
    scopes: ['read_user'],
    params: z.object(one),
    document: show,
    variables: ({ key_id: id }) => ({ id }),
    reshape: sshKey,
  }),
  route({
    ...own,
    method: 'post',
    path: '/user/keys',
    params: z.object(written),
    document: create,
    variables: ({ title, key }) => ({ title, key }),
    reshape: sshKey,
  }),
  route({
    ...own,
    method: 'delete',
    path: '/user/keys/:key_id',
    params: z.object(one),
    document: remove,
    variables: ({ key_id: id }) => ({ id }),
  }),
  route({
    ...theirs,
    method: 'get',
    path: '/users/:id/keys',
    scopes: ['read_user'],
    params: z.object(user),
    document: list,
    variables: ({ id: userId, page, perPage }) => ({ userId, page, perPage }),
    reshape: sshKey,
  }),
  route({
    ...theirs,
    method: 'post',
    path: '/users/:id/keys',
    params: z.object({ ...user, ...written }),
    document: create,
    variables: ({ id: userId, title, key }) => ({ userId, title, key }),
    reshape: sshKey,
  }),
  route({
    ...theirs,
    method: 'delete',
    path: '/users/:id/keys/:key_id',
    params: z.object({ ...user, ...one }),
    document: remove,
    variables: ({ id: userId, key_id: id }) => ({ userId, id }),
  }),
  route({
    method: 'get',
    path: '/keys/:id',
    access: 'admin',
    params: z.object(user),
    document: graphql(
      `query RegisteredKey($id: Int!) {
        registeredKey(id: $id) { ...SshKeyFields user { ...AccountFields } }
      }`,
      [sshKeyFields, accountFields],
    ),
    variables: ({ id }) => ({ id }),
    reshape: ({ registeredKey: key }) => ({
      ...sshKey(key),
      user: key.user && ownUser(key.user),
    }),
  }),
];
