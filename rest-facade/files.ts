import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { blameCommit, commitFields } from './entities/commit.ts';
import { branchOf, commitParams, encoding, withCommitInput } from './entities/commit-params.ts';
import { mayRead, mayWrite } from './entities/repository.ts';
import { base64Response } from './kernel/base64.ts';
import { p, ref } from './kernel/params.ts';
import { rawContent, rawResponse } from './kernel/raw.ts';
import { route } from './kernel/route.ts';
import { required } from './kernel/rules.ts';
import { entity, s, shaped, shapeOf } from './kernel/shape.ts';

/** `:file_path` is the full path, with each slash as `%2F`. */
const path = '/projects/:id/repository/files/:file_path';
const fileParams = { ...ref, file_path: p.text() };

const reading = {
  method: 'get',
  access: 'anyone',
  before: mayRead,
  params: z.object({ ...fileParams, ref: p.text() }),
} as const;

const writing = { path, access: 'signed in', before: mayWrite } as const;

const show = route({
  ...reading,
  path,
  sends: entity('File', {
    file_name: s.text().describe('The name of the file.'),
    file_path: s.text().describe('Its path.'),
    size: s.int().describe('Its size in bytes.'),
    encoding: s.choice(['base64']).describe('The encoding of the content.'),
    content: s.text().describe('The content in Base64.'),
    ref: s.text().describe('The branch, tag or commit of the request.'),
    blob_id: s.text().describe('The id of the blob.'),
    commit_id: s.text().describe('The id of the commit.'),
    last_commit_id: s.text().describe('The last commit that changed the file.'),
  }),
  document: graphql(
    `query File($id: ID!, $ref: String!, $file_path: String!) {
      repository(project: $id) {
        projectId
        file(ref: $ref, path: $file_path) { name path size blobId commitId lastCommitSha }
      }
    }`,
  ),
  send: async ({ repository: { projectId, file } }, params, { openBlob }) =>
    base64Response(await openBlob({ projectId, sha: file.blobId, size: file.size }), {
      before: { file_name: file.name, file_path: file.path },
      size: file.size,
      after: {
        ref: params.ref,
        blob_id: file.blobId,
        commit_id: file.commitId,
        last_commit_id: file.lastCommitSha,
      },
    }),
});

const raw = route({
  ...reading,
  ...rawContent,
  path: `${path}/raw`,
  document: graphql(
    `query RawFile($id: ID!, $ref: String!, $file_path: String!) {
      repository(project: $id) {
        projectId file(ref: $ref, path: $file_path) { name size blobId }
      }
    }`,
  ),
  send: async ({ repository: { projectId, file } }, _params, { openBlob }) =>
    rawResponse(await openBlob({ projectId, sha: file.blobId, size: file.size }), file),
});

const line = p.int({ least: 1 });

const blame = route({
  ...reading,
  path: `${path}/blame`,
  description:
    'Of later releases of GitLab. For files up to 1 MiB; `range` shows some lines of a file with many.',
  params: z.object({
    ...reading.params.shape,
    range: z
      .object({
        start: line.describe('The first line, from 1.'),
        end: line.describe('The last line, which may be beyond the end of the file.'),
      })
      .optional()
      .describe('The lines that are shown. Default: all.'),
  }),
  document: graphql(
    `query FileBlame(
      $id: ID!, $ref: String!, $file_path: String!, $firstLine: Int, $lastLine: Int
    ) {
      repository(project: $id) {
        file(ref: $ref, path: $file_path) {
          result: blame(firstLine: $firstLine, lastLine: $lastLine) {
            commit { ...CommitFields } lines
          }
        }
      }
    }`,
    [commitFields],
  ),
  variables: ({ range, ...params }) => ({
    ...params,
    firstLine: range?.start,
    lastLine: range?.end,
  }),
  faultNames: { firstLine: 'range' },
  response: s.list(
    entity('BlameRange', {
      commit: shapeOf(blameCommit).describe('The commit that last changed the lines.'),
      lines: s.list(s.text()).describe('The lines, without line breaks.'),
    }),
  ),
  reshape: (ranges) => ranges.map(({ commit, lines }) => ({ commit: blameCommit(commit), lines })),
});

const content = { content: p.text(), encoding };
const expected = { last_commit_id: p.text().optional() };

/** The response repeats the request. */
const changed = shaped(
  entity('ChangedFile', {
    file_path: s.text().describe('The path of the file.'),
    branch: s.text().describe('The branch that was changed.'),
  }),
  (params: {
    readonly file_path: string;
    readonly branch?: string | undefined;
    readonly branch_name?: string | undefined;
  }) => ({ file_path: params.file_path, branch: branchOf(params) }),
);

const create = route({
  ...writing,
  method: 'post',
  params: required(
    z.object({ ...fileParams, ...commitParams, ...content }),
    'branch',
    'branch_name',
  ),
  document: graphql(
    `mutation CreateFile(
      $id: ID!, $file_path: String!, $commit: CommitInput!,
      $content: String!, $encoding: ContentEncoding
    ) {
      createFile(
        project: $id, path: $file_path, commit: $commit, content: $content, encoding: $encoding
      ) { id }
    }`,
  ),
  variables: withCommitInput,
  response: shapeOf(changed),
  reshape: (_data, _site, params) => changed(params),
});

const update = route({
  ...writing,
  method: 'put',
  params: required(
    z.object({ ...fileParams, ...commitParams, ...content, ...expected }),
    'branch',
    'branch_name',
  ),
  document: graphql(
    `mutation UpdateFile(
      $id: ID!, $file_path: String!, $commit: CommitInput!,
      $content: String!, $encoding: ContentEncoding, $last_commit_id: SHA
    ) {
      updateFile(
        project: $id, path: $file_path, commit: $commit, content: $content, encoding: $encoding,
        lastCommitSha: $last_commit_id
      ) { id }
    }`,
  ),
  variables: withCommitInput,
  response: shapeOf(changed),
  reshape: (_data, _site, params) => changed(params),
});

const remove = route({
  ...writing,
  method: 'delete',
  params: required(
    z.object({ ...fileParams, ...commitParams, ...expected }),
    'branch',
    'branch_name',
  ),
  document: graphql(
    `mutation DeleteFile(
      $id: ID!, $file_path: String!, $commit: CommitInput!, $last_commit_id: SHA
    ) {
      deleteFile(
        project: $id, path: $file_path, commit: $commit, lastCommitSha: $last_commit_id
      ) { id }
    }`,
  ),
  variables: withCommitInput,
});

export const files = [show, raw, blame, create, update, remove];
