import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { release, releaseFields } from './entities/release.ts';
import { linkParams, linkVariables } from './entities/release-params.ts';
import { mayRead, mayWrite } from './entities/repository.ts';
import { p, ref } from './kernel/params.ts';
import { rawContent, redirectResponse } from './kernel/raw.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';
import { shapeOf } from './kernel/shape.ts';

const all = { path: '/projects/:id/releases' } as const;
const single = { path: '/projects/:id/releases/:tag_name' } as const;
const named = { ...ref, tag_name: p.text({ isFilled: true }) };

const description = 'From GitLab 11.7. Users who can read the code see releases.';
const writing = 'From GitLab 11.7. Requires the access level of a developer.';

const details = {
  name: p.orNone(p.text()).optional(),
  description: p.text().optional(),
  milestones: p.list().optional(),
  released_at: p.orNone(p.time()).optional(),
};

const list = route({
  ...all,
  method: 'get',
  isForJobs: true,
  description,
  access: 'anyone',
  before: mayRead,
  params: z.object({
    ...ref,
    order_by: p
      .mapped({ released_at: 'releasedAt', created_at: 'createdAt' } as const)
      .default('releasedAt'),
    sort: p.choice(['asc', 'desc']).optional(),
  }),
  document: graphql(
    `query Releases(
      $id: ID!, $order_by: ReleaseOrder, $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: releases(
        project: $id, orderBy: $order_by, sort: $sort, page: $page, perPage: $perPage
      ) { total nodes { ...ReleaseFields } }
    }`,
    [releaseFields],
  ),
  reshape: release,
});

const show = route({
  ...single,
  method: 'get',
  isForJobs: true,
  description,
  access: 'anyone',
  before: mayRead,
  params: z.object(named),
  document: graphql(
    `query Release($id: ID!, $tag_name: String!) {
      result: release(project: $id, tagName: $tag_name) { ...ReleaseFields }
    }`,
    [releaseFields],
  ),
  reshape: release,
});

const permalink = '/projects/:id/releases/permalink/latest';

/** The rest of the permanent address is appended, such as `/downloads/app.tgz`. */
const toLatest = {
  method: 'get',
  access: 'anyone',
  before: mayRead,
  // the response after the redirect, too
  statuses: [200, 302],
  document: graphql('query LatestRelease($id: ID!) { latestRelease(project: $id) { apiUrl } }'),
} as const;

const showLatest = route({
  ...toLatest,
  path: permalink,
  title: 'Redirect to the latest release of a project',
  description: 'From GitLab 15.4. The newest release by `released_at` that is not upcoming.',
  params: z.object(ref),
  sends: shapeOf(release),
  send: async ({ latestRelease: { apiUrl } }) => redirectResponse(apiUrl),
});

const downloadLatest = route({
  ...toLatest,
  ...rawContent,
  path: `${permalink}/*path`,
  title: 'Redirect to a part of the latest release of a project',
  description: 'From GitLab 15.4. Such as `/downloads/app.tgz`, the permanent address of a link.',
  params: z.object({ ...ref, path: p.text().describe('What follows the address of the release.') }),
  variables: ({ id }) => ({ id }),
  send: async ({ latestRelease: { apiUrl } }, { path }) =>
    redirectResponse(`${apiUrl}/${path.split('/').map(encodeURIComponent).join('/')}`),
});

const create = route({
  ...all,
  method: 'post',
  isForJobs: true,
  description: `${writing} Creates the tag from \`ref\` if it does not exist.`,
  statuses: [409],
  access: 'signed in',
  before: mayWrite,
  params: z.object({
    ...named,
    ...details,
    ref: p.text().optional(),
    tag_message: p.text().optional(),
    assets: z
      .object({
        links: z
          .array(linkParams)
          .optional()
          .describe('The links to files and pages, at most 100.'),
      })
      .optional()
      .describe('The links of the release, as `assets[links]`.'),
  }),
  document: graphql(
    `mutation CreateReleaseWithLinks(
      $id: ID!, $tag_name: String!, $name: String, $description: String, $ref: String,
      $tag_message: String, $released_at: DateTime, $milestones: [String!],
      $links: [ReleaseLinkInput!]
    ) {
      result: createRelease(
        project: $id, tagName: $tag_name, name: $name, description: $description, ref: $ref,
        tagMessage: $tag_message, releasedAt: $released_at, milestones: $milestones, links: $links
      ) { ...ReleaseFields }
    }`,
    [releaseFields],
  ),
  variables: ({ assets, ref: target, ...params }) => ({
    ...params,
    ref: target || undefined,
    links: assets?.links?.map(linkVariables),
  }),
  faultNames: { path: 'filepath' },
  reshape: release,
});

const update = route({
  ...single,
  method: 'put',
  isForJobs: true,
  description: writing,
  access: 'signed in',
  before: mayWrite,
  params: atLeastOne(
    z.object({ ...named, ...details }),
    'name',
    'description',
    'milestones',
    'released_at',
  ),
  document: graphql(
    `mutation UpdateReleaseDetails(
      $id: ID!, $tag_name: String!, $name: String, $description: String,
      $released_at: DateTime, $milestones: [String!]
    ) {
      result: updateRelease(
        project: $id, tagName: $tag_name, name: $name, description: $description,
        releasedAt: $released_at, milestones: $milestones
      ) { ...ReleaseFields }
    }`,
    [releaseFields],
  ),
  reshape: release,
});

const remove = route({
  ...single,
  method: 'delete',
  description: `${writing} Its links are deleted with it, and the tag stays. The response is the release as it was, without links.`,
  access: 'signed in',
  before: mayWrite,
  params: z.object(named),
  document: graphql(
    `mutation DeleteRelease($id: ID!, $tag_name: String!) {
      result: deleteRelease(project: $id, tagName: $tag_name) { ...ReleaseFields }
    }`,
    [releaseFields],
  ),
  reshape: release,
});

export const releases = [list, showLatest, downloadLatest, show, create, update, remove];
