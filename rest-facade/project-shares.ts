import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const create = route({
  method: 'post',
  path: '/projects/:id/share',
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
