import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s } from './kernel/shape.ts';

const create = route({
  method: 'post',
  path: '/projects/:id/share',
  statuses: [409],
  access: 'signed in',
  params: z.object({
    ...ref,
    group_id: p.id(),
    group_access: p.choice(['10', '20', '30', '40']),
    expires_at: p.date().optional(),
  }),
  document: graphql(`
    mutation ShareProject($id: ID!, $group_id: Int!, $group_access: Int!, $expires_at: Date) {
      result: shareProject(
        project: $id, groupId: $group_id, accessLevel: $group_access, expiresAt: $expires_at
      ) {
        project_id: projectId
        link { id group_id: groupId group_access: accessLevel expires_at: expiresAt }
      }
    }
  `),
  faultNames: { accessLevel: 'group_access' },
  variables: (params) => ({ ...params, group_access: Number(params.group_access) }),
  response: entity('ProjectShare', {
    id: s.id().describe('The id of the share.'),
    project_id: s.id().describe('The id of the project.'),
    group_id: s.id().describe('The id of the group.'),
    group_access: s.int().describe('The highest level of the members of the group.'),
    expires_at: s.day().nullable().describe('The day on which the share ends, if any.'),
  }),
  reshape: ({ project_id, link: { id, ...link } }) => ({ id, project_id, ...link }),
});

const remove = route({
  method: 'delete',
  path: '/projects/:id/share/:group_id',
  access: 'signed in',
  params: z.object({ ...ref, group_id: p.id() }),
  document: graphql(`
    mutation UnshareProject($id: ID!, $group_id: Int!) {
      unshareProject(project: $id, groupId: $group_id)
    }
  `),
});

export const projectShares = [create, remove];
