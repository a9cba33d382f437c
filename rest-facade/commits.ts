import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { commit, commitDetail, commitFields } from './entities/commit.ts';
import { diff, diffFields } from './entities/diff.ts';
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
      $project: ID!, $ref: String, $path: String, $since: DateTime, $until: DateTime
      $isAll: Boolean, $page: Int, $perPage: Int
    ) {
      repository(project: $project) {
        page: commits(
          ref: $ref, path: $path, since: $since, until: $until, isAll: $isAll
          page: $page, perPage: $perPage
        ) { total nodes { ...CommitFields } }
      }
    }`,
    [commitFields],
  ),
  variables: ({ id, ref_name, all, since, until, path, page, perPage }) => ({
    project: id,
    ref: ref_name,
    isAll: all,
    since,
    until,
    path,
    page,
    perPage,
  }),
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
    `query Commit($project: ID!, $sha: String!, $withStats: Boolean!) {
      repository(project: $project) {
        result: commit(ref: $sha) {
          ...CommitFields
          status
          stats @include(if: $withStats) { additions deletions total }
          lastPipeline { ...ListedPipelineFields }
        }
      }
    }`,
    [commitFields, listedPipelineFields],
  ),
  variables: ({ id, sha, stats }) => ({ project: id, sha, withStats: stats ?? true }),
  reshape: commitDetail,
});

const showDiff = route({
  method: 'get',
  path: '/projects/:id/repository/commits/:sha/diff',
  access: 'anyone',
  before: mayRead,
  params: z.object(commitRef),
  document: graphql(
    `query CommitDiff($project: ID!, $sha: String!) {
      repository(project: $project) { commit(ref: $sha) { result: diffs { ...DiffFields } } }
    }`,
    [diffFields],
  ),
  variables: ({ id, sha }) => ({ project: id, sha }),
  reshape: (diffs) => diffs.map(diff),
});

const commentFields = graphql(
  `
    fragment CommitCommentFields on CommitComment {
      note path line lineType createdAt author { ...BasicUserFields }
    }
  `,
  [basicUserFields],
);

const comment = (found: ResultOf<typeof commentFields>) => ({
  note: found.note,
  path: found.path,
  line: found.line,
  line_type: found.lineType,
  author: found.author,
  created_at: found.createdAt,
});

const listComments = route({
  method: 'get',
  path: '/projects/:id/repository/commits/:sha/comments',
  access: 'anyone',
  before: mayRead,
  params: z.object(commitRef),
  document: graphql(
    `query CommitComments($project: ID!, $sha: String!, $page: Int, $perPage: Int) {
      repository(project: $project) {
        commit(ref: $sha) {
          page: comments(page: $page, perPage: $perPage) { total nodes { ...CommitCommentFields } }
        }
      }
    }`,
    [commentFields],
  ),
  variables: ({ id, sha, page, perPage }) => ({ project: id, sha, page, perPage }),
  reshape: comment,
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
      $project: ID!, $sha: String!, $note: String!, $line: CommitLineInput
    ) {
      result: addCommitComment(project: $project, sha: $sha, note: $note, line: $line) {
        ...CommitCommentFields
      }
    }`,
    [commentFields],
  ),
  variables: ({ id, sha, note, path, line, line_type: type }) => ({
    project: id,
    sha,
    note,
    line:
      path === undefined || line === undefined ? undefined : { path, line, type: type ?? 'new' },
  }),
  reshape: comment,
});

export const commits = [list, show, showDiff, listComments, createComment];
