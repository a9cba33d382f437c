import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { commit, commitDetail, commitFields } from './entities/commit.ts';
import { diffFields } from './entities/diff.ts';
import { mergeRequest, mergeRequestFields } from './entities/merge-request.ts';
import { listedPipelineFields } from './entities/pipeline.ts';
import { mayRead } from './entities/repository.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { allOrNone } from './kernel/rules.ts';

const list = route({
  method: 'get',
  path: '/projects/:id/repository/commits',
  access: 'anyone',
  before: mayRead,
  params: z.object({
    ...ref,
    ref_name: p.text().optional(),
    since: p.time().optional(),
    until: p.time().optional(),
    path: p.text().optional(),
    all: p.flag().optional(),
  }),
  document: graphql(
    `query Commits(
      $id: ID!, $ref_name: String, $path: String, $since: DateTime, $until: DateTime
      $all: Boolean, $page: Int, $perPage: Int
    ) {
      repository(project: $id) {
        page: commits(
          ref: $ref_name
          filter: { path: $path, since: $since, until: $until, includesAllRefs: $all }
          page: $page, perPage: $perPage
        ) { total nodes { ...CommitFields } }
      }
    }`,
    [commitFields],
  ),
  reshape: commit,
});

/** `sha`: a branch, a tag or a commit. */
const commitRef = { ...ref, sha: p.text() };

const show = route({
  method: 'get',
  path: '/projects/:id/repository/commits/:sha',
  access: 'anyone',
  before: mayRead,
  params: z.object({ ...commitRef, stats: p.flag().optional() }),
  document: graphql(
    `query Commit($id: ID!, $sha: String!, $withStats: Boolean!) {
      repository(project: $id) {
        result: commit(ref: $sha) {
          ...CommitFields
          status
          stats @include(if: $withStats) { additions deletions total }
          last_pipeline: lastPipeline { ...ListedPipelineFields }
        }
      }
    }`,
    [commitFields, listedPipelineFields],
  ),
  variables: ({ id, sha, stats = true }) => ({ id, sha, withStats: stats }),
  reshape: commitDetail,
});

const showDiff = route({
  method: 'get',
  path: '/projects/:id/repository/commits/:sha/diff',
  access: 'anyone',
  before: mayRead,
  params: z.object(commitRef),
  document: graphql(
    `query CommitDiff($id: ID!, $sha: String!) {
      repository(project: $id) { commit(ref: $sha) { result: diffs { ...DiffFields } } }
    }`,
    [diffFields],
  ),
});

const listRefs = route({
  method: 'get',
  path: '/projects/:id/repository/commits/:sha/refs',
  description: 'From GitLab 10.6.',
  access: 'anyone',
  before: mayRead,
  params: z.object({
    ...commitRef,
    type: p
      .choice(['branch', 'tag', 'all'])
      .optional()
      .describe('The kind of references that are listed. Default: all.'),
  }),
  document: graphql(
    `query CommitRefs($id: ID!, $sha: String!, $kind: RefKind, $page: Int, $perPage: Int) {
      repository(project: $id) {
        commit(ref: $sha) {
          page: refs(filter: { refKind: $kind }, page: $page, perPage: $perPage) {
            total nodes { type: kind name }
          }
        }
      }
    }`,
  ),
  variables: ({ type = 'all', ...params }) => ({
    ...params,
    kind: type === 'all' ? undefined : type,
  }),
});

const listMergeRequests = route({
  method: 'get',
  path: '/projects/:id/repository/commits/:sha/merge_requests',
  description:
    'From GitLab 10.7. The newest first. None for a user who may not see the merge requests of the project.',
  access: 'anyone',
  before: mayRead,
  params: z.object(commitRef),
  document: graphql(
    `query CommitMergeRequests($id: ID!, $sha: String!, $page: Int, $perPage: Int) {
      repository(project: $id) {
        commit(ref: $sha) {
          page: mergeRequests(page: $page, perPage: $perPage) {
            total nodes { ...MergeRequestFields }
          }
        }
      }
    }`,
    [mergeRequestFields],
  ),
  reshape: mergeRequest,
});

const commentFields = graphql(
  `
    fragment CommitCommentFields on CommitComment {
      note: body path line line_type: lineType author { ...BasicUserFields } created_at: createdAt
    }
  `,
  [basicUserFields],
);

const listComments = route({
  method: 'get',
  path: '/projects/:id/repository/commits/:sha/comments',
  access: 'anyone',
  before: mayRead,
  params: z.object(commitRef),
  document: graphql(
    `query CommitComments($id: ID!, $sha: String!, $page: Int, $perPage: Int) {
      repository(project: $id) {
        commit(ref: $sha) {
          page: comments(page: $page, perPage: $perPage) { total nodes { ...CommitCommentFields } }
        }
      }
    }`,
    [commentFields],
  ),
});

const createComment = route({
  method: 'post',
  path: '/projects/:id/repository/commits/:sha/comments',
  access: 'signed in',
  before: mayRead,
  params: allOrNone(
    z.object({
      ...commitRef,
      note: p.text(),
      path: p.text().optional(),
      line: p.int().optional(),
      line_type: p.choice(['new', 'old']).optional(),
    }),
    'path',
    'line',
  ),
  document: graphql(
    `mutation AddCommitComment(
      $id: ID!, $sha: String!, $note: String!, $line: CommitLineInput
    ) {
      result: createCommitComment(project: $id, sha: $sha, body: $note, line: $line) {
        ...CommitCommentFields
      }
    }`,
    [commentFields],
  ),
  variables: ({ id, sha, note, path, line, line_type: type = 'new' }) => ({
    id,
    sha,
    note,
    line: path === undefined || line === undefined ? undefined : { path, line, type },
  }),
});

export const commits = [
  ...[list, show, showDiff, listRefs, listMergeRequests],
  ...[listComments, createComment],
];
