import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { member, memberFields, memberShapes } from './entities/member.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, s, shaped } from './kernel/shape.ts';

const fields = graphql(
  `fragment AccessRequestFields on AccessRequest {
    user { ...BasicUserFields created_at: createdAt } requested_at: createdAt
  }`,
  [basicUserFields],
);

const userSince = s.time().describe('When the user was created.');

const accessRequest = shaped(
  changed('AccessRequest', basicUserFields, [], {
    created_at: userSince,
    requested_at: s.time().describe('When the user requested access.'),
  }),
  ({ user, ...request }: ResultOf<typeof fields>) => ({ ...user, ...request }),
);

const list = graphql(
  `query AccessRequests($source: GroupOrProject!, $page: Int, $perPage: Int) {
    page: accessRequests(source: $source, page: $page, perPage: $perPage) {
      total nodes { ...AccessRequestFields }
    }
  }`,
  [fields],
);

const request = graphql(
  `mutation RequestAccess($source: GroupOrProject!) {
    result: requestAccess(source: $source) { ...AccessRequestFields }
  }`,
  [fields],
);

const approve = graphql(
  `mutation ApproveAccessRequest($source: GroupOrProject!, $user_id: Int!, $access_level: Int) {
    result: approveAccessRequest(source: $source, userId: $user_id, accessLevel: $access_level) {
      ...MemberFields requester: user { created_at: createdAt }
    }
  }`,
  [memberFields],
);

const deny = graphql(
  `mutation DenyAccessRequest($source: GroupOrProject!, $user_id: Int!) {
    denyAccessRequest(source: $source, userId: $user_id)
  }`,
);

type Source = (id: string) => { readonly group: string } | { readonly project: string };

/** Access requests of groups and projects: the same routes under either parent. */
function accessRequestRoutes(parent: 'groups' | 'projects', source: Source) {
  const path = `/${parent}/:id/access_requests`;
  const access = 'signed in';
  const withSource = <Params extends { readonly id: string }>({ id, ...params }: Params) => ({
    source: source(id),
    ...params,
  });
  return [
    route({
      method: 'get',
      path,
      access,
      params: z.object(ref),
      document: list,
      variables: withSource,
      reshape: accessRequest,
    }),
    route({
      method: 'post',
      path,
      access,
      params: z.object(ref),
      document: request,
      faultNames: { base: 'user_id' },
      variables: withSource,
      reshape: accessRequest,
    }),
    route({
      method: 'put',
      path: `${path}/:user_id/approve`,
      access,
      status: 201,
      params: z.object({ ...ref, user_id: p.id(), access_level: p.int().optional() }),
      document: approve,
      variables: withSource,
      response: changed('ApprovedMember', basicUserFields, [], {
        ...memberShapes,
        created_at: userSince,
      }),
      reshape: ({ requester, ...record }) => ({ ...member(record), ...requester }),
    }),
    route({
      method: 'delete',
      path: `${path}/:user_id`,
      access,
      params: z.object({ ...ref, user_id: p.id() }),
      document: deny,
      variables: withSource,
    }),
  ];
}

export const accessRequests = [
  ...accessRequestRoutes('groups', (group) => ({ group })),
  ...accessRequestRoutes('projects', (project) => ({ project })),
];
