import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { member, memberFields } from './entities/member.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const list = graphql(
  `query Members($source: GroupOrProject!, $search: String, $page: Int, $perPage: Int) {
    page: members(source: $source, search: $search, page: $page, perPage: $perPage) {
      total nodes { ...MemberFields }
    }
  }`,
  [memberFields],
);

const show = graphql(
  `query Member($source: GroupOrProject!, $userId: Int!) {
    result: member(source: $source, userId: $userId) { ...MemberFields }
  }`,
  [memberFields],
);

const create = graphql(
  `mutation AddMember($source: GroupOrProject!, $userId: Int!, $accessLevel: Int!, $expiresAt: Date) {
    result: addMember(
      source: $source, userId: $userId, accessLevel: $accessLevel, expiresAt: $expiresAt
    ) { ...MemberFields }
  }`,
  [memberFields],
);

const update = graphql(
  `mutation UpdateMember($source: GroupOrProject!, $userId: Int!, $accessLevel: Int!, $expiresAt: Date) {
    result: updateMember(
      source: $source, userId: $userId, accessLevel: $accessLevel, expiresAt: $expiresAt
    ) { ...MemberFields }
  }`,
  [memberFields],
);

const remove = graphql(
  `mutation RemoveMember($source: GroupOrProject!, $userId: Int!) {
    removeMember(source: $source, userId: $userId)
  }`,
);

const grant = { access_level: p.int(), expires_at: p.date().optional() };

type Source = (id: string) => { readonly group: string } | { readonly project: string };

/** The members of groups and projects: the same routes under either parent (v4-behaviour 3.2). */
function memberRoutes(parent: 'groups' | 'projects', source: Source) {
  const all = { access: 'signed in', path: `/${parent}/:id/members` } as const;
  const one = { access: 'signed in', path: `/${parent}/:id/members/:user_id` } as const;
  return [
    route({
      ...all,
      method: 'get',
      params: z.object({ ...ref, query: p.text().optional() }),
      document: list,
      variables: ({ id, query: search, ...paging }) => ({ source: source(id), search, ...paging }),
      reshape: member,
    }),
    route({
      ...one,
      method: 'get',
      params: z.object({ ...ref, user_id: p.id() }),
      document: show,
      variables: ({ id, user_id: userId }) => ({ source: source(id), userId }),
      reshape: member,
    }),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...ref, ...grant, user_id: p.int() }),
      document: create,
      variables: ({ id, user_id: userId, access_level: accessLevel, expires_at: expiresAt }) => ({
        source: source(id),
        userId,
        accessLevel,
        expiresAt,
      }),
      reshape: member,
    }),
    route({
      ...one,
      method: 'put',
      params: z.object({ ...ref, ...grant, user_id: p.id() }),
      document: update,
      variables: ({ id, user_id: userId, access_level: accessLevel, expires_at: expiresAt }) => ({
        source: source(id),
        userId,
        accessLevel,
        expiresAt,
      }),
      reshape: member,
    }),
    route({
      ...one,
      method: 'delete',
      params: z.object({ ...ref, user_id: p.id() }),
      document: remove,
      variables: ({ id, user_id: userId }) => ({ source: source(id), userId }),
    }),
  ];
}

export const members = [
  ...memberRoutes('groups', (group) => ({ group })),
  ...memberRoutes('projects', (project) => ({ project })),
];
