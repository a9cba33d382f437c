import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { commit, commitFields } from './entities/commit.ts';
import { branchOf } from './entities/commit-params.ts';
import { mayRead, mayWrite } from './entities/repository.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { required } from './kernel/rules.ts';
import { accepted, changed, shaped, shapeOf } from './kernel/shape.ts';

const branchFields = graphql(
  `fragment BranchFields on Branch {
    name commit { ...CommitFields } merged: isMerged protected: isProtected
    developers_can_push: developersCanPush developers_can_merge: developersCanMerge
  }`,
  [commitFields],
);

const branch = shaped(
  changed('Branch', branchFields, [], { commit: shapeOf(commit) }),
  (record: ResultOf<typeof branchFields>) => ({
    ...record,
    commit: commit(record.commit),
  }),
);

/** `:branch` is the full name, with each slash as `%2F`. */
const branchParams = { ...ref, branch: p.text() };

const list = route({
  method: 'get',
  path: '/projects/:id/repository/branches',
  access: 'anyone',
  before: mayRead,
  params: z.object({ ...ref, search: p.text().optional() }),
  document: graphql(
    `query Branches($id: ID!, $search: String, $page: Int, $perPage: Int) {
      repository(project: $id) {
        page: branches(filter: { search: $search }, page: $page, perPage: $perPage) {
          total nodes { ...BranchFields }
        }
      }
    }`,
    [branchFields],
  ),
  reshape: branch,
});

const show = route({
  method: 'get',
  path: '/projects/:id/repository/branches/:branch',
  access: 'anyone',
  before: mayRead,
  params: z.object(branchParams),
  document: graphql(
    `query Branch($id: ID!, $branch: String!) {
      repository(project: $id) { result: branch(name: $branch) { ...BranchFields } }
    }`,
    [branchFields],
  ),
  reshape: branch,
});

/** Whether the branch exists, by the status alone. */
const exists = route({
  method: 'head',
  title: 'Check whether a branch exists',
  path: '/projects/:id/repository/branches/:branch',
  access: 'anyone',
  before: mayRead,
  params: z.object(branchParams),
  document: graphql(
    `query BranchTip($id: ID!, $branch: String!) {
      repository(project: $id) { branchTip(name: $branch) }
    }`,
  ),
});

const create = route({
  method: 'post',
  path: '/projects/:id/repository/branches',
  access: 'signed in',
  before: mayWrite,
  params: required(
    // `branch_name` is the former name
    z.object({
      ...ref,
      branch: p.text().optional(),
      branch_name: p.text().optional(),
      ref: p.text(),
    }),
    'branch',
    'branch_name',
  ),
  document: graphql(
    `mutation CreateBranch($id: ID!, $name: String!, $ref: String!) {
      result: createBranch(project: $id, name: $name, ref: $ref) { ...BranchFields }
    }`,
    [branchFields],
  ),
  variables: ({ id, ref, ...params }) => ({ id, name: branchOf(params), ref }),
  reshape: branch,
});

const remove = route({
  method: 'delete',
  path: '/projects/:id/repository/branches/:branch',
  access: 'signed in',
  before: mayWrite,
  params: z.object(branchParams),
  document: graphql(`
    mutation DeleteBranch($id: ID!, $branch: String!) {
      deleteBranch(project: $id, name: $branch)
    }
  `),
});

const removeMerged = route({
  method: 'delete',
  path: '/projects/:id/repository/merged_branches',
  access: 'signed in',
  status: 202,
  params: z.object(ref),
  document: graphql(`
    mutation DeleteMergedBranches($id: ID!) { deleteMergedBranches(project: $id) { id } }
  `),
  response: accepted,
  reshape: () => ({ message: '202 Accepted' }),
});

const protect = route({
  method: 'put',
  path: '/projects/:id/repository/branches/:branch/protect',
  access: 'signed in',
  before: mayRead,
  params: z.object({
    ...branchParams,
    developers_can_push: p.flag().optional(),
    developers_can_merge: p.flag().optional(),
  }),
  document: graphql(
    `mutation ProtectBranch(
      $id: ID!, $branch: String!, $developers_can_push: Boolean, $developers_can_merge: Boolean
    ) {
      result: protectBranch(
        project: $id, name: $branch,
        developersCanPush: $developers_can_push, developersCanMerge: $developers_can_merge
      ) { ...BranchFields }
    }`,
    [branchFields],
  ),
  reshape: branch,
});

const unprotect = route({
  method: 'put',
  path: '/projects/:id/repository/branches/:branch/unprotect',
  access: 'signed in',
  before: mayRead,
  params: z.object(branchParams),
  document: graphql(
    `mutation UnprotectBranch($id: ID!, $branch: String!) {
      result: unprotectBranch(project: $id, name: $branch) { ...BranchFields }
    }`,
    [branchFields],
  ),
  reshape: branch,
});

export const branches = [list, show, exists, create, protect, unprotect, remove, removeMerged];
