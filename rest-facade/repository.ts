import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { commit, commitFields, commitShape } from './entities/commit.ts';
import { diff, diffFields } from './entities/diff.ts';
import { mayRead } from './entities/repository.ts';
import { base64Response, base64Shape } from './kernel/base64.ts';
import { p, ref } from './kernel/params.ts';
import { rawContent, rawResponse } from './kernel/raw.ts';
import { route } from './kernel/route.ts';
import { entity, s } from './kernel/shape.ts';
import { repositoryArchive } from './repository-archive.ts';

const tree = route({
  method: 'get',
  path: '/projects/:id/repository/tree',
  access: 'anyone',
  before: mayRead,
  title: 'List the files of a directory',
  params: z.object({
    ...ref,
    path: p.text().optional(),
    ref: p.text().optional(),
    recursive: p.flag().optional(),
  }),
  document: graphql(
    `query RepositoryTree(
      $id: ID!, $ref: String, $path: String, $recursive: Boolean, $page: Int, $perPage: Int
    ) {
      repository(project: $id) {
        page: tree(ref: $ref, path: $path, isRecursive: $recursive, page: $page, perPage: $perPage) {
          total nodes { id name type path mode }
        }
      }
    }`,
  ),
  response: entity('TreeEntry', {
    id: s
      .text()
      .describe(
        'The id of its content: equal entries have the same one. Of a submodule the commit.',
      ),
    name: s.text(),
    type: s.choice(['tree', 'blob', 'commit']),
    path: s.text(),
    mode: s.text(),
  }),
  variables: ({ ref: name, recursive = false, ...params }) => ({
    ...params,
    ref: name || undefined,
    recursive,
  }),
});

/** The existence and size of a blob; its content is streamed. */
const oneBlob = {
  method: 'get',
  access: 'anyone',
  before: mayRead,
  // a blob's id; or a commit, branch or tag together with a path (decisions.md)
  params: z.object({
    ...ref,
    sha: p
      .text()
      .describe('The id of the blob; with a path the branch, tag or commit that has the file.'),
    file_path: p.text().describe('The path of the file in the commit that `sha` names.').optional(),
    filepath: p.text().describe('The former name of `file_path`.').optional(),
  }),
  document: graphql(
    `query RepositoryBlob($id: ID!, $sha: String!, $path: String) {
      repository(project: $id) { projectId blob(sha: $sha, path: $path) { sha size } }
    }`,
  ),
} as const;

type BlobParams = z.output<typeof oneBlob.params>;

const blobVariables = ({ id, sha, file_path, filepath }: BlobParams) => ({
  id,
  sha,
  path: file_path ?? filepath,
});

const blob = route({
  ...oneBlob,
  title: 'Show a blob and its content',
  path: '/projects/:id/repository/blobs/:sha',
  variables: blobVariables,
  send: async ({ repository: { projectId, blob } }, _params, { openBlob }) => {
    const { sha, size } = blob;
    return base64Response(await openBlob({ projectId, sha, size }), { size, after: { sha } });
  },
  response: entity('Blob', { ...base64Shape, sha: s.text().describe('The id of the blob.') }),
});

const raw = route({
  ...oneBlob,
  title: 'Get the content of a blob',
  path: '/projects/:id/repository/blobs/:sha/raw',
  variables: blobVariables,
  send: async ({ repository: { projectId, blob } }, _params, { openBlob }) => {
    const { sha, size } = blob;
    return rawResponse(await openBlob({ projectId, sha, size }), { name: sha, size });
  },
  ...rawContent,
});

const compare = route({
  method: 'get',
  path: '/projects/:id/repository/compare',
  access: 'anyone',
  before: mayRead,
  title: 'Compare two commits',
  params: z.object({ ...ref, from: p.text(), to: p.text() }),
  document: graphql(
    `query RepositoryComparison($id: ID!, $from: String!, $to: String!) {
      repository(project: $id) {
        result: compare(from: $from, to: $to) {
          commits { ...CommitFields }
          diffs { ...DiffFields }
          compare_timeout: isTimedOut compare_same_ref: isSame
        }
      }
    }`,
    [commitFields, diffFields],
  ),
  response: entity('Comparison', {
    commit: commitShape.nullable().describe('The last of the commits; null if there are none.'),
    commits: s.list(commitShape),
    diffs: s.list(diff),
    compare_timeout: s.flag(),
    compare_same_ref: s.flag(),
  }),
  reshape: ({ commits: records, ...comparison }) => {
    const commits = records.map(commit);
    return { commit: commits.at(-1) ?? null, commits, ...comparison };
  },
});

const contributors = route({
  method: 'get',
  path: '/projects/:id/repository/contributors',
  access: 'anyone',
  before: mayRead,
  title: 'List the contributors of a repository',
  params: z.object(ref),
  document: graphql(
    `query RepositoryContributors($id: ID!, $page: Int, $perPage: Int) {
      repository(project: $id) {
        page: contributors(page: $page, perPage: $perPage) {
          total nodes { name email commits: commitCount additions deletions }
        }
      }
    }`,
  ),
  response: entity('Contributor', {
    name: s.text(),
    email: s.text(),
    commits: s.int(),
    additions: s.int(),
    deletions: s.int(),
  }),
});

export const repository = [tree, blob, raw, ...repositoryArchive, compare, contributors];
