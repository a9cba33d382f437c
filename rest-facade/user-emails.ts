import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const emailFields = graphql('fragment EmailFields on Email { id email }');

const email = (record: ResultOf<typeof emailFields>) => ({ id: record.id, email: record.email });

const list = graphql(
  `query Emails($userId: Int, $page: Int, $perPage: Int) {
    page: emails(userId: $userId, page: $page, perPage: $perPage) { total nodes { ...EmailFields } }
  }`,
  [emailFields],
);

const show = graphql('query Email($id: Int!) { result: email(id: $id) { ...EmailFields } }', [
  emailFields,
]);

const create = graphql(
  `mutation AddEmail($userId: Int, $email: String!) {
    result: addEmail(userId: $userId, email: $email) { ...EmailFields }
  }`,
  [emailFields],
);

const remove = graphql(
  'mutation RemoveEmail($userId: Int, $id: Int!) { removeEmail(userId: $userId, id: $id) }',
);

const own = { access: 'signed in' } as const;
const theirs = { access: 'admin', digits: ['id'] } as const;
const user = { id: p.id() };

/** Further addresses of the caller or another user, without the primary one (v4-behaviour 3.1). */
export const userEmails = [
  route({
    ...own,
    method: 'get',
    path: '/user/emails',
    scopes: ['read_user'],
    params: z.object({}),
    document: list,
    variables: ({ page, perPage }) => ({ page, perPage }),
    reshape: email,
  }),
  route({
    ...own,
    method: 'get',
    path: '/user/emails/:email_id',
    scopes: ['read_user'],
    params: z.object({ email_id: p.id() }),
    document: show,
    variables: ({ email_id: id }) => ({ id }),
    reshape: email,
  }),
  route({
    ...own,
    method: 'post',
    path: '/user/emails',
    params: z.object({ email: p.text() }),
    document: create,
    variables: (params) => ({ email: params.email }),
    reshape: email,
  }),
  route({
    ...own,
    method: 'delete',
    path: '/user/emails/:email_id',
    params: z.object({ email_id: p.id() }),
    document: remove,
    variables: ({ email_id: id }) => ({ id }),
  }),
  route({
    ...theirs,
    method: 'get',
    path: '/users/:id/emails',
    scopes: ['read_user'],
    params: z.object(user),
    document: list,
    variables: ({ id: userId, page, perPage }) => ({ userId, page, perPage }),
    reshape: email,
  }),
  route({
    ...theirs,
    method: 'post',
    path: '/users/:id/emails',
    params: z.object({ ...user, email: p.text(), skip_confirmation: p.flag().optional() }),
    document: create,
    variables: (params) => ({ userId: params.id, email: params.email }),
    reshape: email,
  }),
  route({
    ...theirs,
    method: 'delete',
    path: '/users/:id/emails/:email_id',
    params: z.object({ ...user, email_id: p.id() }),
    document: remove,
    variables: ({ id: userId, email_id: id }) => ({ userId, id }),
  }),
];
