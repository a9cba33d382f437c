import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { releaseLinkFields } from './entities/release.ts';
import { linkDetails, linkVariables } from './entities/release-params.ts';
import { mayRead, mayWrite } from './entities/repository.ts';
import { p, ref } from './kernel/params.ts';
import { rawContent, redirectResponse } from './kernel/raw.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const release = '/projects/:id/releases/:tag_name';
const all = { path: `${release}/assets/links` } as const;
const single = { path: `${release}/assets/links/:link_id` } as const;

const ofRelease = { ...ref, tag_name: p.text({ isFilled: true }) };
const ofLink = { ...ofRelease, link_id: p.id() };

const description = 'From GitLab 11.7. Users who can read the code see releases.';
const writing = 'From GitLab 11.7. Requires the access level of a developer.';
const faultNames = { path: 'filepath' };

const list = route({
  ...all,
  method: 'get',
  isForJobs: true,
  description,
  access: 'anyone',
  before: mayRead,
  params: z.object(ofRelease),
  document: graphql(
    `query ReleaseLinks($id: ID!, $tag_name: String!, $page: Int, $perPage: Int) {
      release(project: $id, tagName: $tag_name) {
        page: links(page: $page, perPage: $perPage) { total nodes { ...ReleaseLinkFields } }
      }
    }`,
    [releaseLinkFields],
  ),
});

const show = route({
  ...single,
  method: 'get',
  isForJobs: true,
  description,
  access: 'anyone',
  before: mayRead,
  params: z.object(ofLink),
  document: graphql(
    `query ReleaseLink($id: ID!, $tag_name: String!, $link_id: Int!) {
      result: releaseLink(project: $id, tagName: $tag_name, id: $link_id) { ...ReleaseLinkFields }
    }`,
    [releaseLinkFields],
  ),
});

const create = route({
  ...all,
  method: 'post',
  isForJobs: true,
  description: writing,
  access: 'signed in',
  before: mayWrite,
  params: z.object({ ...ofRelease, name: p.text(), url: p.text(), ...linkDetails }),
  document: graphql(
    `mutation CreateReleaseLink(
      $id: ID!, $tag_name: String!, $name: String!, $url: String!, $path: String,
      $type: ReleaseLinkType
    ) {
      result: createReleaseLink(
        project: $id, tagName: $tag_name, name: $name, url: $url, path: $path, type: $type
      ) { ...ReleaseLinkFields }
    }`,
    [releaseLinkFields],
  ),
  variables: linkVariables,
  faultNames,
});

const update = route({
  ...single,
  method: 'put',
  isForJobs: true,
  description: writing,
  access: 'signed in',
  before: mayWrite,
  params: atLeastOne(
    z.object({ ...ofLink, name: p.text().optional(), url: p.text().optional(), ...linkDetails }),
    'name',
    'url',
    'direct_asset_path',
    'filepath',
    'link_type',
  ),
  document: graphql(
    `mutation UpdateReleaseLink(
      $id: ID!, $tag_name: String!, $link_id: Int!, $name: String, $url: String, $path: String,
      $type: ReleaseLinkType
    ) {
      result: updateReleaseLink(
        project: $id, tagName: $tag_name, id: $link_id, name: $name, url: $url, path: $path,
        type: $type
      ) { ...ReleaseLinkFields }
    }`,
    [releaseLinkFields],
  ),
  variables: linkVariables,
  faultNames,
});

const remove = route({
  ...single,
  method: 'delete',
  description: writing,
  access: 'signed in',
  before: mayWrite,
  params: z.object(ofLink),
  document: graphql(
    `mutation DeleteReleaseLink($id: ID!, $tag_name: String!, $link_id: Int!) {
      result: deleteReleaseLink(project: $id, tagName: $tag_name, id: $link_id) {
        ...ReleaseLinkFields
      }
    }`,
    [releaseLinkFields],
  ),
});

/** The permanent address of a link with a path. */
const download = route({
  method: 'get',
  path: `${release}/downloads/*path`,
  title: 'Download a file of a release',
  description:
    'From GitLab 15.4. Redirects to the address of the link whose `direct_asset_path` is the rest of the path.',
  // the response after the redirect, if this server has the file
  ...rawContent,
  statuses: [200, 302],
  access: 'anyone',
  before: mayRead,
  params: z.object({ ...ofRelease, path: p.text() }),
  document: graphql(
    `query ReleaseDownload($id: ID!, $tag_name: String!, $path: String!) {
      releaseDownload(project: $id, tagName: $tag_name, path: $path) { url }
    }`,
  ),
  variables: ({ path, ...params }) => ({ ...params, path: `/${path}` }),
  send: async ({ releaseDownload: { url } }) => redirectResponse(url),
});

export const releaseLinks = [list, show, create, update, remove, download];
