import { z } from 'zod';
import type { Viewer } from '../schema/client/execute.ts';
import { graphql } from '../schema/client/graphql.ts';
import type { Paging } from '../schema/client/operation.ts';
import { attributePairs } from './entities/custom-attributes.ts';
import {
  changedGroup,
  groupDetail,
  groupDetailFields,
  listedGroup,
  listedGroupFields,
} from './entities/group.ts';
import { listedProject, listedProjectFields } from './entities/project.ts';
import { projectListing, projectListingParams } from './entities/project-listing.ts';
import { inspected } from './kernel/inspected.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

/** The parameters of every listing of groups (specification, GET /groups). */
const listing = {
  search: p.text().optional(),
  skip_groups: p.intList().optional(),
  owned: p.flag().optional(),
  all_available: p.flag().optional(),
  order_by: p.choice(['name', 'path', 'id']).optional(),
  sort: p.choice(['asc', 'desc']).optional(),
  statistics: p.flag().optional(),
  custom_attributes: p.hash().optional(),
};

const listingObject = z.object(listing);

const listed = (params: z.output<typeof listingObject> & Paging, viewer: Viewer | null) => ({
  page: params.page,
  perPage: params.perPage,
  orderBy: params.order_by ?? ('name' as const),
  sort: params.sort ?? ('asc' as const),
  withStatistics: params.statistics ?? false,
  filter: {
    search: params.search,
    skipIds: params.skip_groups,
    // `false` does not filter
    isOwned: params.owned || undefined,
    // administrators and anonymous users always list all
    isMember: (params.all_available === false && viewer?.isAdmin === false) || undefined,
    customAttributes: attributePairs(params.custom_attributes),
  },
});

const list = route({
  method: 'get',
  path: '/groups',
  access: 'anyone',
  params: listingObject,
  document: graphql(
    `query Groups(
      $filter: GroupFilter, $orderBy: GroupOrder, $sort: SortDirection, $page: Int, $perPage: Int
      $withStatistics: Boolean!
    ) {
      page: groups(
        filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage
      ) { total nodes { ...ListedGroupFields } }
    }`,
    [listedGroupFields],
  ),
  variables: listed,
  reshape: listedGroup,
});

const listSubgroups = route({
  method: 'get',
  path: '/groups/:id/subgroups',
  access: 'anyone',
  params: z.object({ ...ref, ...listing }),
  document: graphql(
    `query Subgroups(
      $id: ID!, $filter: GroupFilter, $orderBy: GroupOrder, $sort: SortDirection
      $page: Int, $perPage: Int, $withStatistics: Boolean!
    ) {
      group(id: $id) {
        page: subgroups(
          filter: $filter, orderBy: $orderBy, sort: $sort
          page: $page, perPage: $perPage
        ) { total nodes { ...ListedGroupFields } }
      }
    }`,
    [listedGroupFields],
  ),
  variables: (params, viewer) => ({ ...listed(params, viewer), id: params.id }),
  reshape: listedGroup,
});

const show = route({
  method: 'get',
  path: '/groups/:id',
  access: 'anyone',
  params: z.object(ref),
  document: graphql('query Group($id: ID!) { result: group(id: $id) { ...GroupDetailFields } }', [
    groupDetailFields,
  ]),
  reshape: groupDetail,
});

const listProjects = route({
  method: 'get',
  path: '/groups/:id/projects',
  access: 'anyone',
  params: z.object({ ...ref, ...projectListingParams }),
  document: graphql(
    `query GroupProjects(
      $group: ID!, $filter: ProjectFilter, $orderBy: ProjectOrder, $sort: SortDirection
      $page: Int, $perPage: Int, $withStatistics: Boolean!, $isFull: Boolean!
    ) {
      group(id: $group) {
        page: ownAndSharedProjects(
          filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage
        ) { total nodes { ...ListedProjectFields } }
      }
    }`,
    [listedProjectFields],
  ),
  variables: (params, viewer) => ({ ...projectListing(params, viewer), group: params.id }),
  reshape: listedProject,
});

const writable = {
  description: p.orNone(p.text()).optional(),
  visibility: p.choice(['private', 'internal', 'public']).optional(),
  lfs_enabled: p.flag().optional(),
  request_access_enabled: p.flag().optional(),
  avatar: p.fileOrNone().optional(),
};

const create = route({
  method: 'post',
  path: '/groups',
  access: 'signed in',
  params: z.object({ ...writable, name: p.text(), path: p.text(), parent_id: p.int().optional() }),
  document: graphql(
    `mutation CreateGroup(
      $name: String!, $path: String!, $parent_id: Int, $description: String
      $visibility: Visibility, $lfs_enabled: Boolean, $request_access_enabled: Boolean
      $avatar: Upload
    ) {
      result: createGroup(
        name: $name, path: $path, parentId: $parent_id, description: $description
        visibility: $visibility, lfsEnabled: $lfs_enabled
        requestAccessEnabled: $request_access_enabled, avatar: $avatar
      ) { ...GroupDetailFields }
    }`,
    [groupDetailFields],
  ),
  reshape: groupDetail,
  invalidAs: (fields) => `Failed to save group ${inspected(fields)}`,
});

const changeable = { name: p.text().optional(), path: p.text().optional(), ...writable };

const update = route({
  method: 'put',
  path: '/groups/:id',
  access: 'signed in',
  params: atLeastOne(
    z.object({ ...ref, ...changeable }),
    ...(Object.keys(changeable) as (keyof typeof changeable)[]),
  ),
  document: graphql(
    `mutation UpdateGroup(
      $id: ID!, $name: String, $path: String, $description: String, $visibility: Visibility
      $lfs_enabled: Boolean, $request_access_enabled: Boolean, $avatar: Upload
    ) {
      result: updateGroup(
        group: $id, name: $name, path: $path, description: $description
        visibility: $visibility, lfsEnabled: $lfs_enabled
        requestAccessEnabled: $request_access_enabled, avatar: $avatar
      ) { ...GroupDetailFields }
    }`,
    [groupDetailFields],
  ),
  reshape: changedGroup,
});

const remove = route({
  method: 'delete',
  path: '/groups/:id',
  access: 'signed in',
  params: z.object(ref),
  document: graphql('mutation DeleteGroup($id: ID!) { deleteGroup(group: $id) }'),
});

const transferProject = route({
  method: 'post',
  path: '/groups/:id/projects/:project_id',
  access: 'admin',
  params: z.object({ ...ref, project_id: p.text() }),
  document: graphql(
    `mutation TransferProject($id: ID!, $project_id: ID!) {
      transfer: transferProject(group: $id, project: $project_id) {
        result: group { ...GroupDetailFields }
      }
    }`,
    [groupDetailFields],
  ),
  reshape: groupDetail,
  faultNames: { group: 'new_namespace' },
  invalidAs: (fields) => `Failed to transfer project ${inspected(fields)}`,
});

const transfer = route({
  method: 'post',
  path: '/groups/:id/transfer',
  access: 'signed in',
  description:
    'From GitLab 14.3. For owners of the group who may create subgroups in the new parent. The former paths redirect.',
  params: z.object({
    ...ref,
    group_id: p
      .text()
      .optional()
      .describe(
        'The id or the full path of the new parent. Without it, the group becomes a top-level group.',
      ),
  }),
  document: graphql(
    `mutation MoveGroup($id: ID!, $group_id: ID) {
      result: moveGroup(group: $id, parent: $group_id) { ...GroupDetailFields }
    }`,
    [groupDetailFields],
  ),
  variables: ({ id, group_id }) => ({ id, group_id: group_id || null }),
  reshape: groupDetail,
  faultNames: { parent: 'group_id' },
  invalidAs: ({ group_id }) => group_id?.[0] ?? 'Transfer failed',
});

export const groups = [
  ...[list, show, listProjects, listSubgroups, create, update, remove],
  ...[transferProject, transfer],
];
