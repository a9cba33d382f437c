import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import {
  listedProject,
  listedProjectFields,
  project,
  projectDetailFields,
} from './entities/project.ts';
import { projectListing, projectListingParams } from './entities/project-listing.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const word = p.text({ isFilled: true, longest: 1000 }).optional();

const fork = route({
  method: 'post',
  path: '/projects/:id/fork',
  access: 'signed in',
  params: z.object({ ...ref, namespace: word, name: word, path: word }),
  document: graphql(
    `mutation ForkProject($id: ID!, $namespace: ID, $name: String, $path: String) {
      result: forkProject(project: $id, namespace: $namespace, name: $name, path: $path) {
        ...ProjectDetailFields
      }
    }`,
    [projectDetailFields],
  ),
  refusals: { taken: 409 },
  reshape: project,
});

const list = route({
  method: 'get',
  path: '/projects/:id/forks',
  access: 'anyone',
  params: z.object({ ...ref, ...projectListingParams }),
  document: graphql(
    `query ProjectForks(
      $project: ID!, $filter: ProjectFilter, $orderBy: ProjectOrder, $sort: SortDirection
      $page: Int, $perPage: Int, $withStatistics: Boolean!, $isFull: Boolean!
    ) {
      project(id: $project) {
        page: forks(filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage) {
          total nodes { ...ListedProjectFields }
        }
      }
    }`,
    [listedProjectFields],
  ),
  variables: (params, viewer) => ({ ...projectListing(params, viewer), project: params.id }),
  reshape: listedProject,
});

const tie = route({
  method: 'post',
  path: '/projects/:id/fork/:forked_from_id',
  statuses: [409],
  access: 'admin',
  params: z.object({ ...ref, forked_from_id: p.text({ isFilled: true, longest: 1000 }) }),
  document: graphql(
    `mutation CreateForkRelation($id: ID!, $forked_from_id: ID!) {
      result: createForkRelation(project: $id, forkedFrom: $forked_from_id) {
        ...ProjectDetailFields
      }
    }`,
    [projectDetailFields],
  ),
  reshape: project,
});

const untie = route({
  method: 'delete',
  path: '/projects/:id/fork',
  statuses: [204, 304],
  access: 'signed in',
  params: z.object(ref),
  document: graphql('mutation DeleteForkRelation($id: ID!) { deleteForkRelation(project: $id) }'),
  status: ({ deleteForkRelation }) => (deleteForkRelation ? 204 : 304),
});

export const projectForks = [fork, list, tie, untie];
