import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import {
  listedProject,
  listedProjectFields,
  project,
  projectDetailFields,
} from './entities/project.ts';
import { projectListing, projectListingParams } from './entities/project-listing.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

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
    `query ProjectUsers($project: ID!, $search: String, $page: Int, $perPage: Int) {
      project(project: $project) {
        page: users(search: $search, page: $page, perPage: $perPage) { total nodes { ...BasicUserFields } }
      }
    }`,
    [basicUserFields],
  ),
  variables: ({ id, search, ...paging }) => ({ project: id, search, ...paging }),
});

const show = route({
  method: 'get',
  path: '/projects/:id',
  access: 'anyone',
  params: z.object({ ...ref, statistics: p.flag().optional() }),
  document: graphql(
    `query Project($project: ID!, $withStatistics: Boolean!) {
      result: project(project: $project) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  variables: ({ id, statistics = false }) => ({ project: id, withStatistics: statistics }),
  reshape: project,
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

const settingsOf = (params: z.output<typeof writableObject>) => ({
  name: params.name,
  path: params.path,
  description: params.description,
  visibility: params.visibility,
  tagList: params.tag_list && distinct(params.tag_list),
  issuesEnabled: params.issues_enabled,
  mergeRequestsEnabled: params.merge_requests_enabled,
  jobsEnabled: params.jobs_enabled,
  wikiEnabled: params.wiki_enabled,
  snippetsEnabled: params.snippets_enabled,
  containerRegistryEnabled: params.container_registry_enabled,
  sharedRunnersEnabled: params.shared_runners_enabled,
  lfsEnabled: params.lfs_enabled,
  requestAccessEnabled: params.request_access_enabled,
  publicJobs: params.public_jobs ?? params.public_builds,
  resolveOutdatedDiffDiscussions: params.resolve_outdated_diff_discussions,
  onlyAllowMergeIfPipelineSucceeds: params.only_allow_merge_if_pipeline_succeeds,
  onlyAllowMergeIfAllDiscussionsAreResolved:
    params.only_allow_merge_if_all_discussions_are_resolved,
  printingMergeRequestLinkEnabled:
    params.printing_merge_request_link_enabled ?? params.printing_merge_requests_link_enabled,
  ciConfigPath: params.ci_config_path,
  buildTimeout: params.build_timeout,
});

const create = route({
  method: 'post',
  path: '/projects',
  access: 'signed in',
  params: atLeastOne(z.object({ ...writable, namespace_id: p.int().optional() }), 'name', 'path'),
  document: graphql(
    `mutation CreateProject(
      $namespaceId: Int, $settings: ProjectSettings!, $importUrl: String, $avatar: Upload
      $withStatistics: Boolean!
    ) {
      result: createProject(
        namespaceId: $namespaceId, settings: $settings, importUrl: $importUrl, avatar: $avatar
      ) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  variables: (params) => ({
    namespaceId: params.namespace_id,
    settings: settingsOf(params),
    importUrl: params.import_url,
    avatar: params.avatar,
    withStatistics: false,
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
      $ownerId: Int!, $namespaceId: Int, $settings: ProjectSettings!, $defaultBranch: String
      $importUrl: String, $avatar: Upload, $withStatistics: Boolean!
    ) {
      result: createProject(
        ownerId: $ownerId, namespaceId: $namespaceId, settings: $settings
        defaultBranch: $defaultBranch, importUrl: $importUrl, avatar: $avatar
      ) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  variables: (params) => ({
    ownerId: params.user_id,
    namespaceId: params.namespace_id,
    settings: settingsOf(params),
    defaultBranch: params.default_branch,
    importUrl: params.import_url,
    avatar: params.avatar,
    withStatistics: false,
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
      $project: ID!, $settings: ProjectSettings!, $defaultBranch: String, $importUrl: String
      $avatar: Upload, $withStatistics: Boolean!
    ) {
      result: updateProject(
        project: $project, settings: $settings, defaultBranch: $defaultBranch, importUrl: $importUrl
        avatar: $avatar
      ) { ...ProjectDetailFields }
    }`,
    [projectDetailFields],
  ),
  variables: (params) => ({
    project: params.id,
    settings: settingsOf(params),
    defaultBranch: params.default_branch,
    importUrl: params.import_url,
    avatar: params.avatar,
    withStatistics: false,
  }),
  reshape: project,
});

const remove = route({
  method: 'delete',
  path: '/projects/:id',
  access: 'signed in',
  params: z.object(ref),
  document: graphql('mutation DeleteProject($project: ID!) { deleteProject(project: $project) }'),
  variables: ({ id }) => ({ project: id }),
  status: 202,
  reshape: () => ({ message: '202 Accepted' }),
});

export const projects = [list, listOfUser, show, listUsers, create, createForUser, update, remove];
