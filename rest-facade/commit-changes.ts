import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { commitDetail, commitDetailFields } from './entities/commit.ts';
import { commitParams, encoding, withCommitInput } from './entities/commit-params.ts';
import { mayWrite } from './entities/repository.ts';
import { camelCased } from './kernel/case.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { required } from './kernel/rules.ts';
import { entity, s, shapeOf } from './kernel/shape.ts';

/** A null member counts as omitted. */
const withoutNulls = (item: unknown) =>
  typeof item === 'object' && item !== null && !Array.isArray(item)
    ? Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))
    : item;

const action = z.preprocess(
  withoutNulls,
  z.object({
    action: p.text(),
    file_path: p.text(),
    previous_path: p.text().optional(),
    content: p.text().optional(),
    encoding,
    last_commit_id: p.text().optional(),
  }),
);

const create = route({
  method: 'post',
  path: '/projects/:id/repository/commits',
  access: 'signed in',
  before: mayWrite,
  params: required(
    z.object({ ...ref, ...commitParams, actions: z.array(action) }),
    'branch',
    'branch_name',
  ),
  document: graphql(
    `mutation CreateCommit($id: ID!, $commit: CommitInput!, $actions: [CommitActionInput!]!) {
      result: createCommit(project: $id, commit: $commit, actions: $actions) {
        ...CommitDetailFields
      }
    }`,
    [commitDetailFields],
  ),
  variables: ({ actions, ...params }) => ({
    ...withCommitInput(params),
    actions: actions.map(({ file_path: path, last_commit_id: lastCommitSha, ...rest }) => ({
      path,
      lastCommitSha,
      ...camelCased(rest),
    })),
  }),
  reshape: commitDetail,
});

const cherryPick = route({
  method: 'post',
  path: '/projects/:id/repository/commits/:sha/cherry_pick',
  access: 'signed in',
  before: mayWrite,
  params: z.object({ ...ref, sha: p.text(), branch: p.text({ isFilled: true, longest: 1024 }) }),
  document: graphql(
    `mutation CherryPickCommit($id: ID!, $sha: String!, $branch: String!) {
      result: cherryPickCommit(project: $id, sha: $sha, branch: $branch) {
        ...CommitDetailFields
      }
    }`,
    [commitDetailFields],
  ),
  reshape: commitDetail,
});

const dryRun = entity('DryRun', {
  dry_run: s.choice(['success']).describe('The result of a dry run, which has status 200.'),
});

const revert = route({
  method: 'post',
  path: '/projects/:id/repository/commits/:sha/revert',
  description: 'From GitLab 11.5; `dry_run` from GitLab 13.3.',
  access: 'signed in',
  before: mayWrite,
  status: ({ result }) => (result === null ? 200 : 201),
  statuses: [201, 200],
  params: z.object({
    ...ref,
    sha: p.text(),
    branch: p.text({ isFilled: true, longest: 1024 }),
    dry_run: p.flag().optional(),
  }),
  document: graphql(
    `mutation RevertCommit($id: ID!, $sha: String!, $branch: String!, $dry_run: Boolean) {
      result: revertCommit(project: $id, sha: $sha, branch: $branch, isDryRun: $dry_run) {
        ...CommitDetailFields
      }
    }`,
    [commitDetailFields],
  ),
  response: z.union([shapeOf(commitDetail), dryRun]),
  reshape: (commit) => (commit === null ? { dry_run: 'success' as const } : commitDetail(commit)),
});

export const commitChanges = [create, cherryPick, revert];
