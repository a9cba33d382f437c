import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { commit, commitFields } from './entities/commit.ts';
import { diff, diffFields } from './entities/diff.ts';
import { mayRead } from './entities/repository.ts';
import { base64Response } from './kernel/base64.ts';
import { p, ref } from './kernel/params.ts';
import { rawResponse } from './kernel/raw.ts';
import { route } from './kernel/route.ts';
import { repositoryArchive } from './repository-archive.ts';

const tree = route({
  method: 'get',
  path: '/projects/:id/repository/tree',
  access: 'anyone',
  before: mayRead,
  params: z.object({
    ...ref,
    path: p.text().optional(),
    ref: p.text().optional(),
    recursive: p.flag().optional(),
  }),
  document: graphql(
    `query RepositoryTree(
      $project: ID!, $ref: String, $path: String, $isRecursive: Boolean, $page: Int, $perPage: Int
    ) {
      repository(project: $project) {
        page: tree(ref: $ref, path: $path, isRecursive: $isRecursive, page: $page, perPage: $perPage) {
          total nodes { id name type path mode }
        }
      }
    }`,
  ),
  variables: ({ id, recursive, ...rest }) => ({
    project: id,
    isRecursive: recursive ?? false,
    ref: rest.ref || undefined,
    path: rest.path,
    page: rest.page,
    perPage: rest.perPage,
  }),
});

/** A blob's id; or a commit, branch or tag together with a path (decisions.md). */
const blobParams = z.object({
  ...ref,
  sha: p.text(),
  file_path: p.text().optional(),
  filepath: p.text().optional(),
});

const blobVariables = (params: z.output<typeof blobParams>) => ({
  project: params.id,
  sha: params.sha,
  path: params.file_path ?? params.filepath,
});

/** The existence and size of a blob; its content is streamed. */
const blobDocument = graphql(
  `query RepositoryBlob($project: ID!, $sha: String!, $path: String) {
    repository(project: $project) { projectId blob(sha: $sha, path: $path) { sha size } }
  }`,
);

const blob = route({
  method: 'get',
  path: '/projects/:id/repository/blobs/:sha',
  access: 'anyone',
  before: mayRead,
  params: blobParams,
  document: blobDocument,
  variables: blobVariables,
  send: async (
    {
      repository: {
        projectId,
        blob: { sha, size },
      },
    },
    _params,
    { openBlob },
  ) => base64Response(await openBlob({ projectId, sha, size }), { size, after: { sha } }),
});

const raw = route({
  method: 'get',
  path: '/projects/:id/repository/blobs/:sha/raw',
  access: 'anyone',
  before: mayRead,
  params: blobParams,
  document: blobDocument,
  variables: blobVariables,
  send: async (
    {
      repository: {
        projectId,
        blob: { sha, size },
      },
    },
    _params,
    { openBlob },
  ) => rawResponse(await openBlob({ projectId, sha, size }), { name: sha, size }),
});

const compare = route({
  method: 'get',
  path: '/projects/:id/repository/compare',
  access: 'anyone',
  before: mayRead,
  params: z.object({ ...ref, from: p.text(), to: p.text() }),
  document: graphql(
    `query RepositoryComparison($project: ID!, $from: String!, $to: String!) {
      repository(project: $project) {
        result: comparison(from: $from, to: $to) {
          commits { ...CommitFields }
          diffs { ...DiffFields }
          isTimedOut isSame
        }
      }
    }`,
    [commitFields, diffFields],
  ),
  variables: ({ id, from, to }) => ({ project: id, from, to }),
  reshape: ({ commits: records, diffs, isTimedOut, isSame }) => {
    const commits = records.map(commit);
    return {
      commit: commits.at(-1) ?? null,
      commits,
      diffs: diffs.map(diff),
      compare_timeout: isTimedOut,
      compare_same_ref: isSame,
    };
  },
});

const contributors = route({
  method: 'get',
  path: '/projects/:id/repository/contributors',
  access: 'anyone',
  before: mayRead,
  params: z.object({ ...ref }),
  document: graphql(
    `query RepositoryContributors($project: ID!, $page: Int, $perPage: Int) {
      repository(project: $project) {
        page: contributors(page: $page, perPage: $perPage) {
          total nodes { name email commits additions deletions }
        }
      }
    }`,
  ),
  variables: ({ id, page, perPage }) => ({ project: id, page, perPage }),
});

export const repository = [tree, blob, raw, ...repositoryArchive, compare, contributors];
