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
    mutation ShareProject($project: ID!, $groupId: Int!, $accessLevel: Int!, $expiresAt: Date) {
      shareProject(
        project: $project, groupId: $groupId, accessLevel: $accessLevel, expiresAt: $expiresAt
      ) { projectId link { id groupId accessLevel expiresAt } }
    }
  `),
  variables: (params) => ({
    project: params.id,
    groupId: params.group_id,
    accessLevel: Number(params.group_access),
    expiresAt: params.expires_at,
  }),
  reshape: ({ shareProject: { projectId, link } }) => ({
    id: link.id,
    project_id: projectId,
    group_id: link.groupId,
    group_access: link.accessLevel,
    expires_at: link.expiresAt,
  }),
});

const remove = route({
  method: 'delete',
  path: '/projects/:id/share/:group_id',
  access: 'signed in',
  params: z.object({ ...ref, group_id: p.id() }),
  document: graphql(`
    mutation UnshareProject($project: ID!, $groupId: Int!) {
      unshareProject(project: $project, groupId: $groupId)
    }
  `),
  variables: ({ id, group_id: groupId }) => ({ project: id, groupId }),
});

export const projectShares = [create, remove];
