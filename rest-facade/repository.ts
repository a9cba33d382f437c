import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { commit, commitFields } from './entities/commit.ts';
import { diffFields } from './entities/diff.ts';
import { mayRead } from './entities/repository.ts';
import { base64Response } from './kernel/base64.ts';
import { p, ref } from './kernel/params.ts';
import { rawContent, rawResponse } from './kernel/raw.ts';
import { route } from './kernel/route.ts';
import { entity, s, selected, shapeOf } from './kernel/shape.ts';
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
      $id: ID!, $ref: String, $path: String, $recursive: Boolean, $page: Int, $perPage: Int
    ) {
      repository(project: $id) {
        page: tree(ref: $ref, path: $path, isRecursive: $recursive, page: $page, perPage: $perPage) {
          total nodes { id name type path mode }
        }
      }
    }`,
  ),
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
    sha: p.text(),
    file_path: p.text().optional(),
    filepath: p.text().optional(),
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
  path: '/projects/:id/repository/blobs/:sha',
  sends: entity('Blob', {
    size: s.int().describe('The size in bytes.'),
    encoding: s.choice(['base64']).describe('The encoding of the content.'),
    content: s.text().describe('The content in Base64.'),
    sha: s.text().describe('The id of the blob.'),
  }),
  variables: blobVariables,
  send: async ({ repository: { projectId, blob } }, _params, { openBlob }) => {
    const { sha, size } = blob;
    return base64Response(await openBlob({ projectId, sha, size }), { size, after: { sha } });
  },
});

const raw = route({
  ...oneBlob,
  ...rawContent,
  path: '/projects/:id/repository/blobs/:sha/raw',
  variables: blobVariables,
  send: async ({ repository: { projectId, blob } }, _params, { openBlob }) => {
    const { sha, size } = blob;
    return rawResponse(await openBlob({ projectId, sha, size }), { name: sha, size });
  },
});

const compare = route({
  method: 'get',
  path: '/projects/:id/repository/compare',
  access: 'anyone',
  before: mayRead,
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
    commit: shapeOf(commit).nullable().describe('The last commit.'),
    commits: s.list(shapeOf(commit)),
    diffs: s.list(selected(diffFields)),
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
});

const mergeBase = route({
  method: 'get',
  path: '/projects/:id/repository/merge_base',
  description: 'From GitLab 11.3. Takes two refs.',
  access: 'anyone',
  before: mayRead,
  params: z.object({ ...ref, refs: p.list() }),
  document: graphql(
    `query RepositoryMergeBase($id: ID!, $refs: [String!]!) {
      repository(project: $id) { result: mergeBase(refs: $refs) { ...CommitFields } }
    }`,
    [commitFields],
  ),
  reshape: commit,
});

const languages = route({
  method: 'get',
  path: '/projects/:id/languages',
  title: 'List the languages of the code of a project',
  description:
    'From GitLab 10.8. The shares in percent, the largest first, by the names of the files of the default branch.',
  access: 'anyone',
  before: mayRead,
  params: z.object(ref),
  document: graphql(
    `query RepositoryLanguages($id: ID!) {
      repository(project: $id) { result: languages { name share } }
    }`,
  ),
  response: z.record(s.text(), z.number()),
  reshape: (shares) => Object.fromEntries(shares.map(({ name, share }) => [name, share])),
});

export const repository = [
  tree,
  blob,
  raw,
  ...repositoryArchive,
  compare,
  contributors,
  mergeBase,
  languages,
];
