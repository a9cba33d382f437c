import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { project, projectDetailFields } from './entities/project.ts';
import { ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const one = { method: 'post', access: 'signed in', params: z.object(ref) } as const;

const variables = ({ id }: { readonly id: string }) => ({ project: id, withStatistics: false });

const archive = route({
  ...one,
  path: '/projects/:id/archive',
  document: graphql(
    `mutation ArchiveProject($project: ID!, $withStatistics: Boolean!) {
      result: archiveProject(project: $project) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  variables,
  reshape: project,
});

const unarchive = route({
  ...one,
  path: '/projects/:id/unarchive',
  document: graphql(
    `mutation UnarchiveProject($project: ID!, $withStatistics: Boolean!) {
      result: unarchiveProject(project: $project) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  variables,
  reshape: project,
});

/** 304 if the state did not change. */
const changedOr304 = ({ hasChanged }: { readonly hasChanged: boolean }) => (hasChanged ? 201 : 304);

const star = route({
  ...one,
  path: '/projects/:id/star',
  document: graphql(
    `mutation StarProject($project: ID!, $withStatistics: Boolean!) {
      starProject(project: $project) { hasChanged result: project { ...ProjectDetailFields } }
    }`,
    [projectDetailFields],
  ),
  variables,
  status: ({ starProject }) => changedOr304(starProject),
  reshape: project,
});

const unstar = route({
  ...one,
  path: '/projects/:id/unstar',
  document: graphql(
    `mutation UnstarProject($project: ID!, $withStatistics: Boolean!) {
      unstarProject(project: $project) { hasChanged result: project { ...ProjectDetailFields } }
    }`,
    [projectDetailFields],
  ),
  variables,
  status: ({ unstarProject }) => changedOr304(unstarProject),
  reshape: project,
});

const housekeeping = route({
  ...one,
  path: '/projects/:id/housekeeping',
  document: graphql(
    'mutation HousekeepProject($project: ID!) { housekeepProject(project: $project) }',
  ),
  variables: ({ id }) => ({ project: id }),
  // clients parse the body of every 201
  reshape: () => ({}),
});

export const projectStates = [archive, unarchive, star, unstar, housekeeping];
