import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { member, memberFields } from './entities/member.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const list = graphql(
  `query Members($source: GroupOrProject!, $query: String, $page: Int, $perPage: Int) {
    page: members(source: $source, filter: { search: $query }, page: $page, perPage: $perPage) {
      total nodes { ...MemberFields }
    }
  }`,
  [memberFields],
);

const show = graphql(
  `query Member($source: GroupOrProject!, $user_id: Int!) {
    result: member(source: $source, userId: $user_id) { ...MemberFields }
  }`,
  [memberFields],
);

const listAll = graphql(
  `query AllMembers($source: GroupOrProject!, $query: String, $page: Int, $perPage: Int) {
    page: allMembers(source: $source, filter: { search: $query }, page: $page, perPage: $perPage) {
      total nodes { ...MemberFields }
    }
  }`,
  [memberFields],
);

const showAny = graphql(
  `query AnyMember($source: GroupOrProject!, $user_id: Int!) {
    result: anyMember(source: $source, userId: $user_id) { ...MemberFields }
  }`,
  [memberFields],
);

const create = graphql(
  `mutation AddMember(
    $source: GroupOrProject!, $user_id: Int!, $access_level: Int!, $expires_at: Date
  ) {
    result: addMember(
      source: $source, userId: $user_id, accessLevel: $access_level, expiresAt: $expires_at
    ) { ...MemberFields }
  }`,
  [memberFields],
);

const update = graphql(
  `mutation UpdateMember(
    $source: GroupOrProject!, $user_id: Int!, $access_level: Int!, $expires_at: Date
  ) {
    result: updateMember(
      source: $source, userId: $user_id, accessLevel: $access_level, expiresAt: $expires_at
    ) { ...MemberFields }
  }`,
  [memberFields],
);

const remove = graphql(
  `mutation RemoveMember($source: GroupOrProject!, $user_id: Int!) {
    removeMember(source: $source, userId: $user_id)
  }`,
);

const highest =
  'Members of the groups above are members, too; of several memberships of a user the one with the highest access level counts. Expired ones do not.';

const grant = { access_level: p.int(), expires_at: p.date().optional() };

type Source = (id: string) => { readonly group: string } | { readonly project: string };

/** The members of groups and projects: the same routes under either parent (v4-behaviour 3.2). */
function memberRoutes(parent: 'groups' | 'projects', source: Source) {
  const all = { access: 'signed in', path: `/${parent}/:id/members` } as const;
  const single = { access: 'signed in', path: `/${parent}/:id/members/:user_id` } as const;
  const memberRef = z.object({ ...ref, user_id: p.id() });
  const withSource = <Params extends { readonly id: string }>({ id, ...params }: Params) => ({
    source: source(id),
    ...params,
  });
  return [
    route({
      ...all,
      method: 'get',
      params: z.object({ ...ref, query: p.text().optional() }),
      document: list,
      variables: withSource,
      reshape: member,
    }),
    route({
      ...single,
      method: 'get',
      params: memberRef,
      document: show,
      variables: withSource,
      reshape: member,
    }),
    route({
      access: 'signed in',
      path: `/${parent}/:id/members/all`,
      method: 'get',
      description: `From GitLab 12.4. ${highest}`,
      params: z.object({ ...ref, query: p.text().optional() }),
      document: listAll,
      variables: withSource,
      reshape: member,
    }),
    route({
      access: 'signed in',
      path: `/${parent}/:id/members/all/:user_id`,
      method: 'get',
      description: `From GitLab 12.4. ${highest}`,
      params: memberRef,
      document: showAny,
      variables: withSource,
      reshape: member,
    }),
    route({
      ...all,
      method: 'post',
      statuses: [409],
      params: z.object({ ...ref, ...grant, user_id: p.int() }),
      document: create,
      variables: withSource,
      reshape: member,
    }),
    route({
      ...single,
      method: 'put',
      params: memberRef.extend(grant),
      document: update,
      variables: withSource,
      reshape: member,
    }),
    route({
      ...single,
      method: 'delete',
      params: memberRef,
      document: remove,
      variables: withSource,
    }),
  ];
}

export const members = [
  ...memberRoutes('groups', (group) => ({ group })),
  ...memberRoutes('projects', (project) => ({ project })),
];
