import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { commit, commitFields } from './entities/commit.ts';
import { mayRead, mayWrite } from './entities/repository.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const tagFields = graphql(
  `fragment TagFields on Tag {
    name message
    commit { ...CommitFields }
    release { tagName description }
  }`,
  [commitFields],
);

const shownTag = (tag: ResultOf<typeof tagFields>) => ({
  name: tag.name,
  message: tag.message,
  commit: tag.commit && commit(tag.commit),
  release: tag.release && shownRelease(tag.release),
});

const shownRelease = ({ tagName, description }: { tagName: string; description: string }) => ({
  tag_name: tagName,
  description,
});

const named = { ...ref, tag_name: p.text() };

const list = route({
  method: 'get',
  path: '/projects/:id/repository/tags',
  access: 'anyone',
  before: mayRead,
  params: z.object(ref),
  document: graphql(
    `query RepositoryTags($project: ID!, $page: Int, $perPage: Int) {
      repository(project: $project) {
        page: tags(page: $page, perPage: $perPage) { total nodes { ...TagFields } }
      }
    }`,
    [tagFields],
  ),
  variables: ({ id, page, perPage }) => ({ project: id, page, perPage }),
  reshape: shownTag,
});

const show = route({
  method: 'get',
  path: '/projects/:id/repository/tags/:tag_name',
  access: 'anyone',
  before: mayRead,
  params: z.object(named),
  document: graphql(
    `query RepositoryTag($project: ID!, $name: String!) {
      repository(project: $project) { result: tag(name: $name) { ...TagFields } }
    }`,
    [tagFields],
  ),
  variables: ({ id, tag_name: name }) => ({ project: id, name }),
  reshape: shownTag,
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
      $project: ID!, $name: String!, $target: String!, $message: String, $release: String
    ) {
      result: createTag(
        project: $project, name: $name, target: $target, message: $message,
        releaseDescription: $release
      ) { ...TagFields }
    }`,
    [tagFields],
  ),
  variables: (params) => ({
    project: params.id,
    name: params.tag_name,
    target: params.ref,
    message: params.message,
    release: params.release_description,
  }),
  // for any reason that prevents the tag (decisions.md)
  refusals: { CONFLICT: 405 },
  reshape: shownTag,
});

const remove = route({
  method: 'delete',
  path: '/projects/:id/repository/tags/:tag_name',
  access: 'signed in',
  before: mayWrite,
  params: z.object(named),
  document: graphql(
    'mutation DeleteTag($project: ID!, $name: String!) { deleteTag(project: $project, name: $name) }',
  ),
  variables: ({ id, tag_name: name }) => ({ project: id, name }),
  refusals: { CONFLICT: 400 },
});

const releaseParams = z.object({ ...named, description: p.text({ isFilled: true }) });

const releaseVariables = (params: z.output<typeof releaseParams>) => ({
  project: params.id,
  tagName: params.tag_name,
  description: params.description,
});

const createRelease = route({
  method: 'post',
  path: '/projects/:id/repository/tags/:tag_name/release',
  access: 'signed in',
  before: mayWrite,
  params: releaseParams,
  document: graphql(
    `mutation CreateRelease($project: ID!, $tagName: String!, $description: String!) {
      result: createRelease(project: $project, tagName: $tagName, description: $description) {
        tagName description
      }
    }`,
  ),
  variables: releaseVariables,
  reshape: shownRelease,
});

const updateRelease = route({
  method: 'put',
  path: '/projects/:id/repository/tags/:tag_name/release',
  access: 'signed in',
  before: mayWrite,
  params: releaseParams,
  document: graphql(
    `mutation UpdateRelease($project: ID!, $tagName: String!, $description: String!) {
      result: updateRelease(project: $project, tagName: $tagName, description: $description) {
        tagName description
      }
    }`,
  ),
  variables: releaseVariables,
  reshape: shownRelease,
});

export const repositoryTags = [list, show, create, remove, createRelease, updateRelease];
