import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import {
  branchOf,
  commitParams,
  encoding,
  lastCommitId,
  withCommitInput,
} from './entities/commit-params.ts';
import { mayRead, mayWrite } from './entities/repository.ts';
import { base64Response, base64Shape } from './kernel/base64.ts';
import { p, ref } from './kernel/params.ts';
import { rawContent, rawResponse } from './kernel/raw.ts';
import { route } from './kernel/route.ts';
import { required } from './kernel/rules.ts';
import { entity, s } from './kernel/shape.ts';

/** `:file_path` is the full path, with each slash as `%2F`. */
const path = '/projects/:id/repository/files/:file_path';
const fileParams = { ...ref, file_path: p.text() };

const reading = {
  method: 'get',
  access: 'anyone',
  before: mayRead,
  params: z.object({ ...fileParams, ref: p.text().describe('A branch, a tag or a commit id.') }),
} as const;

const writing = { path, access: 'signed in', before: mayWrite } as const;

const file = entity('File', {
  file_name: s.text().describe('The last segment of the path.'),
  file_path: s.text().describe('The path from the root of the repository.'),
  ...base64Shape,
  ref: s.text().describe('The branch, tag or commit of the request.'),
  blob_id: s.text().describe('The id of the content.'),
  commit_id: s.text().describe('The id of the commit that `ref` names.'),
  last_commit_id: s.text().describe('The id of the last commit that changed the file.'),
});

const show = route({
  ...reading,
  path,
  title: 'Show a file and its content',
  document: graphql(
    `query File($id: ID!, $ref: String!, $file_path: String!) {
      repository(project: $id) {
        projectId
        file(ref: $ref, path: $file_path) { name path size blobId commitId lastCommitSha }
      }
    }`,
  ),
  response: file,
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
  path: `${path}/raw`,
  title: 'Get the content of a file',
  document: graphql(
    `query RawFile($id: ID!, $ref: String!, $file_path: String!) {
      repository(project: $id) {
        projectId file(ref: $ref, path: $file_path) { name size blobId }
      }
    }`,
  ),
  ...rawContent,
  send: async ({ repository: { projectId, file } }, _params, { openBlob }) =>
    rawResponse(await openBlob({ projectId, sha: file.blobId, size: file.size }), file),
});

const content = { content: p.text(), encoding };
const expected = { last_commit_id: lastCommitId };

const changedFile = entity('ChangedFile', {
  file_path: s.text().describe('The path of the request.'),
  branch: s.text().describe('The branch of the request.'),
});

/** The response repeats the request. */
const changed = (params: {
  readonly file_path: string;
  readonly branch?: string | undefined;
  readonly branch_name?: string | undefined;
}) => ({ file_path: params.file_path, branch: branchOf(params) });

const create = route({
  ...writing,
  method: 'post',
  title: 'Commit a new file',
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
  response: changedFile,
  variables: withCommitInput,
  reshape: (_data, _site, params) => changed(params),
});

const update = route({
  ...writing,
  method: 'put',
  title: 'Commit a change to a file',
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
  response: changedFile,
  variables: withCommitInput,
  reshape: (_data, _site, params) => changed(params),
});

const remove = route({
  ...writing,
  method: 'delete',
  title: 'Commit the deletion of a file',
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

export const files = [show, raw, create, update, remove];
