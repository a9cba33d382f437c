import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { commit, commitFields } from './entities/commit.ts';
import { diffFields } from './entities/diff.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, s, selected, shaped, shapeOf } from './kernel/shape.ts';

const path = '/projects/:id/merge_requests/:merge_request_iid/versions';
const mergeRequestRef = { ...ref, merge_request_iid: p.id() };

const versionFields = graphql(`
  fragment MergeRequestVersionFields on MergeRequestVersion {
    id head_commit_sha: headSha base_commit_sha: baseSha start_commit_sha: startSha
    created_at: createdAt merge_request_id: mergeRequestId state changedFiles
  }
`);

const computed = {
  real_size: s
    .text()
    .nullable()
    .describe('The number of changed files as a text, with `+` if there may be more.'),
};

/** A version in listings. */
const version = shaped(
  changed('MergeRequestVersion', versionFields, ['changedFiles'], computed),
  ({ changedFiles, ...fields }: ResultOf<typeof versionFields>) => ({
    ...fields,
    real_size:
      changedFiles === null ? null : `${changedFiles}${fields.state === 'overflow' ? '+' : ''}`,
  }),
);

const list = route({
  method: 'get',
  path,
  description:
    'The newest first. A version is recorded when the source branch or the target branch of the merge request changes; the last 100 are kept.',
  access: 'anyone',
  params: z.object(mergeRequestRef),
  document: graphql(
    `query MergeRequestVersions($id: ID!, $merge_request_iid: Int!, $page: Int, $perPage: Int) {
      page: mergeRequestVersions(
        project: $id, iid: $merge_request_iid, page: $page, perPage: $perPage
      ) { total nodes { ...MergeRequestVersionFields } }
    }`,
    [versionFields],
  ),
  reshape: version,
});

const show = route({
  method: 'get',
  path: `${path}/:version_id`,
  access: 'anyone',
  params: z.object({
    ...mergeRequestRef,
    version_id: p.id(),
    unidiff: p
      .flag()
      .optional()
      .describe('From GitLab 16.5. Changes nothing: all diffs have the lines `---` and `+++`.'),
  }),
  document: graphql(
    `query MergeRequestVersion($id: ID!, $merge_request_iid: Int!, $version_id: Int!) {
      result: mergeRequestVersion(project: $id, iid: $merge_request_iid, id: $version_id) {
        ...MergeRequestVersionFields
        commits { ...CommitFields }
        diffs { ...DiffFields }
      }
    }`,
    [versionFields, commitFields, diffFields],
  ),
  variables: ({ unidiff: _, ...params }) => params,
  response: changed('ComparedMergeRequestVersion', versionFields, ['changedFiles'], {
    ...computed,
    commits: s.list(shapeOf(commit)).describe('The newest first, at most 5,000.'),
    diffs: s.list(selected(diffFields)).describe('The changed files.'),
  }),
  reshape: ({ commits, diffs, ...fields }) => ({
    ...version(fields),
    commits: commits.map(commit),
    diffs,
  }),
});

export const mergeRequestVersions = [list, show];
