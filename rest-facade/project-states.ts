import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { createdOrUnchanged } from './entities/created-or-unchanged.ts';
import { project, projectDetailFields } from './entities/project.ts';
import { ref } from './kernel/params.ts';
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

export const projectStates = [archive, unarchive, ...stars, housekeeping];
