import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { member, memberFields } from './entities/member.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const path = { groups: '/groups/:id/members', projects: '/projects/:id/members' } as const;

/** The documents under a group; a project has the same under its own name. */
const groupDocuments = {
  list: graphql(
    `query GroupMembers($id: ID!, $search: String, $page: Int, $perPage: Int) {
      members: groupMembers(source: $id, search: $search, page: $page, perPage: $perPage) {
        total nodes { ...MemberFields }
      }
    }`,
    [memberFields],
  ),
  show: graphql(
    `query GroupMember($id: ID!, $userId: Int!) {
      member: groupMember(source: $id, userId: $userId) { ...MemberFields }
    }`,
    [memberFields],
  ),
  add: graphql(
    `mutation AddGroupMember($id: ID!, $userId: Int!, $accessLevel: Int!, $expiresAt: Date) {
      member: addGroupMember(
        source: $id, userId: $userId, accessLevel: $accessLevel, expiresAt: $expiresAt
      ) { ...MemberFields }
    }`,
    [memberFields],
  ),
  edit: graphql(
    `mutation UpdateGroupMember($id: ID!, $userId: Int!, $accessLevel: Int!, $expiresAt: Date) {
      member: updateGroupMember(
        source: $id, userId: $userId, accessLevel: $accessLevel, expiresAt: $expiresAt
      ) { ...MemberFields }
    }`,
    [memberFields],
  ),
  remove: graphql(
    `mutation RemoveGroupMember($id: ID!, $userId: Int!) {
      isRemoved: removeGroupMember(source: $id, userId: $userId)
    }`,
  ),
};

type Documents = typeof groupDocuments;

const projectDocuments: Documents = {
  list: graphql(
    `query ProjectMembers($id: ID!, $search: String, $page: Int, $perPage: Int) {
      members: projectMembers(source: $id, search: $search, page: $page, perPage: $perPage) {
        total nodes { ...MemberFields }
      }
    }`,
    [memberFields],
  ),
  show: graphql(
    `query ProjectMember($id: ID!, $userId: Int!) {
      member: projectMember(source: $id, userId: $userId) { ...MemberFields }
    }`,
    [memberFields],
  ),
  add: graphql(
    `mutation AddProjectMember($id: ID!, $userId: Int!, $accessLevel: Int!, $expiresAt: Date) {
      member: addProjectMember(
        source: $id, userId: $userId, accessLevel: $accessLevel, expiresAt: $expiresAt
      ) { ...MemberFields }
    }`,
    [memberFields],
  ),
  edit: graphql(
    `mutation UpdateProjectMember($id: ID!, $userId: Int!, $accessLevel: Int!, $expiresAt: Date) {
      member: updateProjectMember(
        source: $id, userId: $userId, accessLevel: $accessLevel, expiresAt: $expiresAt
      ) { ...MemberFields }
    }`,
    [memberFields],
  ),
  remove: graphql(
    `mutation RemoveProjectMember($id: ID!, $userId: Int!) {
      isRemoved: removeProjectMember(source: $id, userId: $userId)
    }`,
  ),
};

const grant = { access_level: p.int(), expires_at: p.date().optional() };

/** The members of groups and of projects: the same routes under another parent (v4-behaviour 3.2). */
function memberRoutes(source: keyof typeof path, documents: Documents) {
  const all = { access: 'signed in', path: path[source] } as const;
  const one = { access: 'signed in', path: `${path[source]}/:user_id` } as const;
  return [
    route({
      ...all,
      method: 'get',
      params: z.object({ ...ref, query: p.text().optional() }),
      document: documents.list,
      variables: ({ id, query, page, perPage }) => ({ id, search: query, page, perPage }),
      page: ({ members }) => members.total,
      reshape: ({ members }) => members.nodes.map(member),
    }),
    route({
      ...one,
      method: 'get',
      params: z.object({ ...ref, user_id: p.id() }),
      document: documents.show,
      variables: ({ id, user_id: userId }) => ({ id, userId }),
      reshape: (data) => member(data.member),
    }),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...ref, ...grant, user_id: p.int() }),
      document: documents.add,
      variables: (params) => ({
        id: params.id,
        userId: params.user_id,
        accessLevel: params.access_level,
        expiresAt: params.expires_at,
      }),
      reshape: (data) => member(data.member),
    }),
    route({
      ...one,
      method: 'put',
      params: z.object({ ...ref, ...grant, user_id: p.id() }),
      document: documents.edit,
      variables: (params) => ({
        id: params.id,
        userId: params.user_id,
        accessLevel: params.access_level,
        expiresAt: params.expires_at,
      }),
      reshape: (data) => member(data.member),
    }),
    route({
      ...one,
      method: 'delete',
      params: z.object({ ...ref, user_id: p.id() }),
      document: documents.remove,
      variables: ({ id, user_id: userId }) => ({ id, userId }),
    }),
  ];
}

export const members = [
  ...memberRoutes('groups', groupDocuments),
  ...memberRoutes('projects', projectDocuments),
];
