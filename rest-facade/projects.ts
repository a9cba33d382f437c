import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import {
  listedProject,
  listedProjectFields,
  project,
  projectDetailFields,
  shownProject,
  shownProjectFields,
} from './entities/project.ts';
import { projectListing, projectListingParams } from './entities/project-listing.ts';
import { basicUserFields } from './entities/user.ts';
import { camelCased } from './kernel/case.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';
import { accepted } from './kernel/shape.ts';

const list = route({
  method: 'get',
  path: '/projects',
  access: 'anyone',
  params: z.object({ ...projectListingParams, statistics: p.flag().optional() }),
  document: graphql(
    `query Projects(
      $filter: ProjectFilter, $orderBy: ProjectOrder, $sort: SortDirection, $page: Int, $perPage: Int
      $withStatistics: Boolean!, $isFull: Boolean!
    ) {
      page: projects(filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage) {
        total nodes { ...ListedProjectFields }
      }
    }`,
    [listedProjectFields],
  ),
  variables: projectListing,
  reshape: listedProject,
});

const listOfUser = route({
  method: 'get',
  path: '/users/:user_id/projects',
  access: 'anyone',
  params: z.object({
    ...projectListingParams,
    user_id: p.text({ isFilled: true, longest: 255 }),
    statistics: p.flag().optional(),
  }),
  document: graphql(
    `query PersonalProjects(
      $user: ID!, $filter: ProjectFilter, $orderBy: ProjectOrder, $sort: SortDirection
      $page: Int, $perPage: Int, $withStatistics: Boolean!, $isFull: Boolean!
    ) {
      page: personalProjects(
        user: $user, filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage
      ) { total nodes { ...ListedProjectFields } }
    }`,
    [listedProjectFields],
  ),
  variables: (params, viewer) => ({ ...projectListing(params, viewer), user: params.user_id }),
  reshape: listedProject,
});

const listUsers = route({
  method: 'get',
  path: '/projects/:id/users',
  access: 'anyone',
  params: z.object({ ...ref, search: p.text().optional() }),
  document: graphql(
    `query ProjectUsers($id: ID!, $search: String, $page: Int, $perPage: Int) {
      project(id: $id) {
        page: users(filter: { search: $search }, page: $page, perPage: $perPage) { total nodes { ...BasicUserFields } }
      }
    }`,
    [basicUserFields],
  ),
});

const show = route({
  method: 'get',
  path: '/projects/:id',
  access: 'anyone',
  params: z.object({ ...ref, statistics: p.flag().optional() }),
  document: graphql(
    `query Project($id: ID!, $isFull: Boolean!, $withStatistics: Boolean!) {
      result: project(id: $id) { ...ShownProjectFields }
    }`,
    [shownProjectFields],
  ),
  variables: ({ id, statistics = false }, viewer) => ({
    id,
    isFull: viewer !== null,
    withStatistics: viewer !== null && statistics,
  }),
  reshape: shownProject,
});

/** The writable fields of a project (specification, project write parameters). */
const writable = {
  name: p.text().optional(),
  path: p.text().optional(),
  description: p.orNone(p.text()).optional(),
  visibility: p.choice(['private', 'internal', 'public']).optional(),
  tag_list: p.list().optional(),
  issues_enabled: p.flag().optional(),
  merge_requests_enabled: p.flag().optional(),
  jobs_enabled: p.flag().optional(),
  wiki_enabled: p.flag().optional(),
  snippets_enabled: p.flag().optional(),
  container_registry_enabled: p.flag().optional(),
  shared_runners_enabled: p.flag().optional(),
  lfs_enabled: p.flag().optional(),
  request_access_enabled: p.flag().optional(),
  public_jobs: p.flag().optional(),
  public_builds: p.flag().optional(),
  resolve_outdated_diff_discussions: p.flag().optional(),
  only_allow_merge_if_pipeline_succeeds: p.flag().optional(),
  only_allow_merge_if_all_discussions_are_resolved: p.flag().optional(),
  printing_merge_request_link_enabled: p.flag().optional(),
  printing_merge_requests_link_enabled: p.flag().optional(),
  ci_config_path: p.orNone(p.text()).optional(),
  build_timeout: p.int().optional(),
  import_url: p.text().optional(),
  avatar: p.fileOrNone().optional(),
};

const changeable = { ...writable, default_branch: p.text().optional() };

const writableObject = z.object(writable);

/** Trims the tags and removes duplicates. */
const distinct = (tags: readonly string[]) => [
  ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== '')),
];

/** The arguments of the core that creation and change have in common. */
const projectInput = ({
  avatar,
  import_url: importUrl,
  tag_list,
  public_builds,
  printing_merge_requests_link_enabled,
  ...settings
}: z.output<typeof writableObject>) => ({
  settings: {
    ...camelCased(settings),
    tagList: tag_list && distinct(tag_list),
    publicJobs: settings.public_jobs ?? public_builds,
    printingMergeRequestLinkEnabled:
      settings.printing_merge_request_link_enabled ?? printing_merge_requests_link_enabled,
  },
  importUrl,
  avatar,
});

const create = route({
  method: 'post',
  path: '/projects',
  access: 'signed in',
  params: atLeastOne(z.object({ ...writable, namespace_id: p.int().optional() }), 'name', 'path'),
  document: graphql(
    `mutation CreateProject(
      $namespaceId: Int, $settings: ProjectSettings!, $importUrl: String, $avatar: Upload
    ) {
      result: createProject(
        namespaceId: $namespaceId, settings: $settings, importUrl: $importUrl, avatar: $avatar
      ) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  variables: ({ namespace_id: namespaceId, ...params }) => ({
    namespaceId,
    ...projectInput(params),
  }),
  reshape: project,
});

const createForUser = route({
  method: 'post',
  path: '/projects/user/:user_id',
  access: 'admin',
  params: z.object({
    ...writable,
    user_id: p.id(),
    name: p.text(),
    namespace_id: p.int().optional(),
    default_branch: p.text().optional(),
  }),
  document: graphql(
    `mutation CreateProjectForUser(
      $userId: Int!, $namespaceId: Int, $settings: ProjectSettings!, $defaultBranch: String
      $importUrl: String, $avatar: Upload
    ) {
      result: createProject(
        ownerId: $userId, namespaceId: $namespaceId, settings: $settings
        defaultBranch: $defaultBranch, importUrl: $importUrl, avatar: $avatar
      ) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  variables: ({ user_id, namespace_id, default_branch, ...params }) => ({
    ...camelCased({ user_id, namespace_id, default_branch }),
    ...projectInput(params),
  }),
  reshape: project,
});

const update = route({
  method: 'put',
  path: '/projects/:id',
  access: 'signed in',
  params: atLeastOne(
    z.object({ ...ref, ...changeable }),
    ...(Object.keys(changeable) as (keyof typeof changeable)[]),
  ),
  document: graphql(
    `mutation UpdateProject(
      $id: ID!, $settings: ProjectSettings!, $defaultBranch: String, $importUrl: String
      $avatar: Upload
    ) {
      result: updateProject(
        project: $id, settings: $settings, defaultBranch: $defaultBranch, importUrl: $importUrl
        avatar: $avatar
      ) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  variables: ({ id, default_branch: defaultBranch, ...params }) => ({
    id,
    defaultBranch,
    ...projectInput(params),
  }),
  reshape: project,
});

const remove = route({
  method: 'delete',
  path: '/projects/:id',
  statuses: [406],
  access: 'signed in',
  params: z.object(ref),
  document: graphql('mutation DeleteProject($id: ID!) { deleteProject(project: $id) }'),
  status: 202,
  response: accepted,
  reshape: () => ({ message: '202 Accepted' }),
});

export const projects = [list, listOfUser, show, listUsers, create, createForUser, update, remove];
