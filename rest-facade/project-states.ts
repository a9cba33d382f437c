import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { createdOrUnchanged } from './entities/created-or-unchanged.ts';
import { project, projectDetailFields } from './entities/project.ts';
import { inspected } from './kernel/inspected.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { s } from './kernel/shape.ts';

const action = { method: 'post', access: 'signed in', params: z.object(ref) } as const;

const archive = route({
  ...action,
  path: '/projects/:id/archive',
  document: graphql(
    `mutation ArchiveProject($id: ID!) {
      result: archiveProject(project: $id) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  reshape: project,
});

const unarchive = route({
  ...action,
  path: '/projects/:id/unarchive',
  document: graphql(
    `mutation UnarchiveProject($id: ID!) {
      result: unarchiveProject(project: $id) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  reshape: project,
});

const stars = [
  {
    path: '/projects/:id/star',
    document: graphql(
      `mutation StarProject($id: ID!) {
        change: starProject(project: $id) { hasChanged result: project { ...ProjectDetailFields } }
      }`,
      [projectDetailFields],
    ),
  },
  {
    path: '/projects/:id/unstar',
    document: graphql(
      `mutation UnstarProject($id: ID!) {
        change: unstarProject(project: $id) { hasChanged result: project { ...ProjectDetailFields } }
      }`,
      [projectDetailFields],
    ),
  },
].map((star) => route({ ...createdOrUnchanged, ...star, params: z.object(ref), reshape: project }));

const transfer = route({
  ...action,
  method: 'put',
  path: '/projects/:id/transfer',
  description:
    'From GitLab 11.1. For owners of the project who may create projects in the namespace. The former path redirects git.',
  params: z.object({
    ...ref,
    namespace: p
      .text({ isFilled: true })
      .describe('The id or the full path of a group or of a personal namespace.'),
  }),
  document: graphql(
    `mutation MoveProject($id: ID!, $namespace: ID!) {
      result: moveProject(project: $id, namespace: $namespace) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  reshape: project,
  faultNames: { namespace: 'new_namespace' },
  invalidAs: (fields) => `Failed to transfer project ${inspected(fields)}`,
});

const housekeeping = route({
  ...action,
  path: '/projects/:id/housekeeping',
  statuses: [409],
  document: graphql(
    'mutation HousekeepProject($id: ID!) { housekeepProject(project: $id) { id } }',
  ),
  response: s.object({}),
  // clients parse the body of every 201
  reshape: () => ({}),
});

export const projectStates = [archive, unarchive, ...stars, transfer, housekeeping];
