import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const emailFields = graphql('fragment EmailFields on Email { id email }');

const list = graphql(
  `query Emails($id: Int, $page: Int, $perPage: Int) {
    page: emails(userId: $id, page: $page, perPage: $perPage) { total nodes { ...EmailFields } }
  }`,
  [emailFields],
);

const create = graphql(
  `mutation AddEmail($id: Int, $email: String!) {
    result: createEmail(userId: $id, email: $email) { ...EmailFields }
  }`,
  [emailFields],
);

const remove = graphql(
  'mutation RemoveEmail($id: Int, $email_id: Int!) { deleteEmail(userId: $id, id: $email_id) }',
);

const own = { access: 'signed in' } as const;
const ofUser = { access: 'admin', digits: ['id'] } as const;
const user = { id: p.id() };
const emailParams = { email_id: p.id() };

/** Further addresses of the caller or another user, without the primary one (v4-behaviour 3.1). */
export const userEmails = [
  route({
    ...own,
    method: 'get',
    path: '/user/emails',
    scopes: ['read_user'],
    params: z.object({}),
    document: list,
    variables: (params) => params,
  }),
  route({
    ...own,
    method: 'get',
    path: '/user/emails/:email_id',
    scopes: ['read_user'],
    params: z.object(emailParams),
    document: graphql(
      'query Email($email_id: Int!) { result: email(id: $email_id) { ...EmailFields } }',
      [emailFields],
    ),
  }),
  route({
    ...own,
    method: 'post',
    path: '/user/emails',
    params: z.object({ email: p.text() }),
    document: create,
    variables: (params) => params,
  }),
  route({
    ...own,
    method: 'delete',
    path: '/user/emails/:email_id',
    params: z.object(emailParams),
    document: remove,
    variables: (params) => params,
  }),
  route({
    ...ofUser,
    method: 'get',
    path: '/users/:id/emails',
    scopes: ['read_user'],
    params: z.object(user),
    document: list,
  }),
  route({
    ...ofUser,
    method: 'post',
    path: '/users/:id/emails',
    params: z.object({ ...user, email: p.text(), skip_confirmation: p.flag().optional() }),
    document: create,
    variables: ({ id, email }) => ({ id, email }),
  }),
  route({
    ...ofUser,
    method: 'delete',
    path: '/users/:id/emails/:email_id',
    params: z.object({ ...user, ...emailParams }),
    document: remove,
  }),
];
