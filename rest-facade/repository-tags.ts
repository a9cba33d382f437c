import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { commit, commitFields } from './entities/commit.ts';
import { mayRead, mayWrite } from './entities/repository.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, shaped, shapeOf } from './kernel/shape.ts';

const tagFields = graphql(
  `fragment TagFields on Tag {
    name message protected: isProtected
    commit { ...CommitFields }
    release { tag_name: tagName description }
  }`,
  [commitFields],
);

const tag = shaped(
  changed('Tag', tagFields, [], { commit: shapeOf(commit).nullable() }),
  (record: ResultOf<typeof tagFields>) => ({
    ...record,
    commit: record.commit && commit(record.commit),
  }),
);

const named = { ...ref, tag_name: p.text() };

const list = route({
  method: 'get',
  path: '/projects/:id/repository/tags',
  access: 'anyone',
  before: mayRead,
  params: z.object(ref),
  document: graphql(
    `query RepositoryTags($id: ID!, $page: Int, $perPage: Int) {
      repository(project: $id) {
        page: tags(page: $page, perPage: $perPage) { total nodes { ...TagFields } }
      }
    }`,
    [tagFields],
  ),
  reshape: tag,
});

const show = route({
  method: 'get',
  path: '/projects/:id/repository/tags/:tag_name',
  access: 'anyone',
  before: mayRead,
  params: z.object(named),
  document: graphql(
    `query RepositoryTag($id: ID!, $tag_name: String!) {
      repository(project: $id) { result: tag(name: $tag_name) { ...TagFields } }
    }`,
    [tagFields],
  ),
  reshape: tag,
});

const create = route({
  method: 'post',
  path: '/projects/:id/repository/tags',
  access: 'signed in',
  before: mayWrite,
  params: z.object({
    ...named,
    ref: p.text(),
    message: p.text().optional(),
    release_description: p.text().optional(),
  }),
  document: graphql(
    `mutation CreateTag(
      $id: ID!, $tag_name: String!, $ref: String!, $message: String, $release_description: String
    ) {
      result: createTag(
        project: $id, name: $tag_name, ref: $ref, message: $message,
        releaseDescription: $release_description
      ) { ...TagFields }
    }`,
    [tagFields],
  ),
  // for any reason that prevents the tag (decisions.md)
  refusals: { CONFLICT: 405 },
  reshape: tag,
});

const remove = route({
  method: 'delete',
  path: '/projects/:id/repository/tags/:tag_name',
  access: 'signed in',
  before: mayWrite,
  params: z.object(named),
  document: graphql(
    `mutation DeleteTag($id: ID!, $tag_name: String!) {
      deleteTag(project: $id, name: $tag_name)
    }`,
  ),
  refusals: { CONFLICT: 400 },
});

const release = {
  path: '/projects/:id/repository/tags/:tag_name/release',
  statuses: [409],
  access: 'signed in',
  before: mayWrite,
  params: z.object({ ...named, description: p.text({ isFilled: true }) }),
} as const;

const createRelease = route({
  ...release,
  method: 'post',
  document: graphql(
    `mutation CreateRelease($id: ID!, $tag_name: String!, $description: String!) {
      result: createRelease(project: $id, tagName: $tag_name, description: $description) {
        tag_name: tagName description
      }
    }`,
  ),
});

const updateRelease = route({
  ...release,
  method: 'put',
  document: graphql(
    `mutation UpdateRelease($id: ID!, $tag_name: String!, $description: String!) {
      result: updateRelease(project: $id, tagName: $tag_name, description: $description) {
        tag_name: tagName description
      }
    }`,
  ),
});

export const repositoryTags = [list, show, create, remove, createRelease, updateRelease];
