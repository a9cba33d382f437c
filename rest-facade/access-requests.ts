import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { member, memberFields } from './entities/member.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const fields = graphql(
  `fragment AccessRequestFields on AccessRequest {
    user { ...BasicUserFields created_at: createdAt } requested_at: requestedAt
  }`,
  [basicUserFields],
);

const accessRequest = ({ user, requested_at }: ResultOf<typeof fields>) => ({
  ...user,
  requested_at,
});

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
  `mutation ApproveAccessRequest($source: GroupOrProject!, $userId: Int!, $accessLevel: Int) {
    result: approveAccessRequest(source: $source, userId: $userId, accessLevel: $accessLevel) {
      ...MemberFields requester: user { createdAt }
    }
  }`,
  [memberFields],
);

const deny = graphql(
  `mutation DenyAccessRequest($source: GroupOrProject!, $userId: Int!) {
    denyAccessRequest(source: $source, userId: $userId)
  }`,
);

type Source = (id: string) => { readonly group: string } | { readonly project: string };

/** Access requests of groups and projects: the same routes under either parent. */
function accessRequestRoutes(parent: 'groups' | 'projects', source: Source) {
  const path = `/${parent}/:id/access_requests`;
  const access = 'signed in';
  return [
    route({
      method: 'get',
      path,
      access,
      params: z.object(ref),
      document: list,
      variables: ({ id, page, perPage }) => ({ source: source(id), page, perPage }),
      reshape: accessRequest,
    }),
    route({
      method: 'post',
      path,
      access,
      params: z.object(ref),
      document: request,
      variables: ({ id }) => ({ source: source(id) }),
      reshape: accessRequest,
    }),
    route({
      method: 'put',
      path: `${path}/:user_id/approve`,
      access,
      status: 201,
      params: z.object({ ...ref, user_id: p.id(), access_level: p.int().optional() }),
      document: approve,
      variables: ({ id, user_id: userId, access_level: accessLevel }) => ({
        source: source(id),
        userId,
        accessLevel,
      }),
      reshape: ({ requester, ...record }) => ({
        ...member(record),
        created_at: requester.createdAt,
      }),
    }),
    route({
      method: 'delete',
      path: `${path}/:user_id`,
      access,
      params: z.object({ ...ref, user_id: p.id() }),
      document: deny,
      variables: ({ id, user_id: userId }) => ({ source: source(id), userId }),
    }),
  ];
}

export const accessRequests = [
  ...accessRequestRoutes('groups', (group) => ({ group })),
  ...accessRequestRoutes('projects', (project) => ({ project })),
];
