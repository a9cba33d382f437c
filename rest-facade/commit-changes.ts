import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { commitDetail, commitDetailFields } from './entities/commit.ts';
import { commitInput, commitParams, encoding } from './entities/commit-params.ts';
import { mayWrite } from './entities/repository.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { required } from './kernel/rules.ts';

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
    `mutation CreateCommit($project: ID!, $commit: CommitInput!, $actions: [CommitActionInput!]!) {
      result: createCommit(project: $project, commit: $commit, actions: $actions) { ...CommitDetailFields }
    }`,
    [commitDetailFields],
  ),
  variables: ({ id, actions, ...given }) => ({
    project: id,
    commit: commitInput(given),
    actions: actions.map(({ file_path: path, previous_path, last_commit_id, ...rest }) => ({
      ...rest,
      path,
      previousPath: previous_path,
      lastCommitId: last_commit_id,
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
    `mutation CherryPickCommit($project: ID!, $sha: String!, $branch: String!) {
      result: cherryPickCommit(project: $project, sha: $sha, branch: $branch) { ...CommitDetailFields }
    }`,
    [commitDetailFields],
  ),
  variables: ({ id, sha, branch }) => ({ project: id, sha, branch }),
  reshape: commitDetail,
});

export const commitChanges = [create, cherryPick];
