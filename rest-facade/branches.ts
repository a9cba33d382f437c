import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { commit, commitFields } from './entities/commit.ts';
import { mayRead, mayWrite } from './entities/repository.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const branchFields = graphql(
  `fragment BranchFields on Branch {
    name isMerged isProtected developersCanPush developersCanMerge commit { ...CommitFields }
  }`,
  [commitFields],
);

const branch = (found: ResultOf<typeof branchFields>) => ({
  name: found.name,
  commit: commit(found.commit),
  merged: found.isMerged,
  protected: found.isProtected,
  developers_can_push: found.developersCanPush,
  developers_can_merge: found.developersCanMerge,
});

/** `:branch` is the full name, with each slash as `%2F`. */
const one = { ...ref, branch: p.text() };

const list = route({
  method: 'get',
  path: '/projects/:id/repository/branches',
  access: 'anyone',
  before: mayRead,
  params: z.object({ ...ref, search: p.text().optional() }),
  document: graphql(
    `query Branches($project: ID!, $search: String, $page: Int, $perPage: Int) {
      repository(project: $project) {
        page: branches(search: $search, page: $page, perPage: $perPage) {
          total nodes { ...BranchFields }
        }
      }
    }`,
    [branchFields],
  ),
  variables: ({ id, search, page, perPage }) => ({ project: id, search, page, perPage }),
  reshape: branch,
});

const show = route({
  method: 'get',
  path: '/projects/:id/repository/branches/:branch',
  access: 'anyone',
  before: mayRead,
  params: z.object(one),
  document: graphql(
    `query Branch($project: ID!, $name: String!) {
      repository(project: $project) { result: branch(name: $name) { ...BranchFields } }
    }`,
    [branchFields],
  ),
  variables: ({ id, branch: name }) => ({ project: id, name }),
  reshape: branch,
});

/** Whether the branch exists, by the status alone. */
const exists = route({
  method: 'head',
  path: '/projects/:id/repository/branches/:branch',
  access: 'anyone',
  before: mayRead,
  params: z.object(one),
  document: graphql(
    `query BranchTip($project: ID!, $name: String!) {
      repository(project: $project) { branchTip(name: $name) }
    }`,
  ),
  variables: ({ id, branch: name }) => ({ project: id, name }),
});

const create = route({
  method: 'post',
  path: '/projects/:id/repository/branches',
  access: 'signed in',
  before: mayWrite,
  params: z
    .object({
      ...ref,
      branch: p.text().optional(),
      // the former name
      branch_name: p.text().optional(),
      ref: p.text(),
    })
    .superRefine(
      ({ branch: name, branch_name: formerly }, ctx) => {
        if (name !== undefined || formerly !== undefined) return;
        ctx.issues.push({
          code: 'custom',
          path: ['branch'],
          message: 'is missing',
          input: undefined,
        });
      },
      { when: () => true },
    ),
  document: graphql(
    `mutation CreateBranch($project: ID!, $name: String!, $ref: String!) {
      result: createBranch(project: $project, name: $name, ref: $ref) { ...BranchFields }
    }`,
    [branchFields],
  ),
  variables: ({ id, branch: name, branch_name: formerly, ref: from }) => ({
    project: id,
    name: name ?? formerly ?? '',
    ref: from,
  }),
  reshape: branch,
});

const remove = route({
  method: 'delete',
  path: '/projects/:id/repository/branches/:branch',
  access: 'signed in',
  before: mayWrite,
  params: z.object(one),
  document: graphql(`
    mutation DeleteBranch($project: ID!, $name: String!) {
      deleteBranch(project: $project, name: $name)
    }
  `),
  variables: ({ id, branch: name }) => ({ project: id, name }),
});

const removeMerged = route({
  method: 'delete',
  path: '/projects/:id/repository/merged_branches',
  access: 'signed in',
  status: 202,
  params: z.object(ref),
  document: graphql(`
    mutation DeleteMergedBranches($project: ID!) { deleteMergedBranches(project: $project) }
  `),
  variables: ({ id }) => ({ project: id }),
  reshape: () => ({ message: '202 Accepted' }),
});

const protect = route({
  method: 'put',
  path: '/projects/:id/repository/branches/:branch/protect',
  access: 'signed in',
  before: mayRead,
  params: z.object({
    ...one,
    developers_can_push: p.flag().optional(),
    developers_can_merge: p.flag().optional(),
  }),
  document: graphql(
    `mutation ProtectBranch(
      $project: ID!, $name: String!, $developersCanPush: Boolean, $developersCanMerge: Boolean
    ) {
      result: protectBranch(
        project: $project, name: $name,
        developersCanPush: $developersCanPush, developersCanMerge: $developersCanMerge
      ) { ...BranchFields }
    }`,
    [branchFields],
  ),
  variables: (params) => ({
    project: params.id,
    name: params.branch,
    developersCanPush: params.developers_can_push,
    developersCanMerge: params.developers_can_merge,
  }),
  reshape: branch,
});

const unprotect = route({
  method: 'put',
  path: '/projects/:id/repository/branches/:branch/unprotect',
  access: 'signed in',
  before: mayRead,
  params: z.object(one),
  document: graphql(
    `mutation UnprotectBranch($project: ID!, $name: String!) {
      result: unprotectBranch(project: $project, name: $name) { ...BranchFields }
    }`,
    [branchFields],
  ),
  variables: ({ id, branch: name }) => ({ project: id, name }),
  reshape: branch,
});

export const branches = [list, show, exists, create, protect, unprotect, remove, removeMerged];
