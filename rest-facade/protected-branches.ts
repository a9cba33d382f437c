import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { type PathParams, route } from './kernel/route.ts';

const fields = graphql(`
  fragment ProtectedBranchFields on ProtectedBranch {
    name push { level description } merge { level description }
  }
`);

type Found = ResultOf<typeof fields>;

const level = (access: Found['push']) => ({
  access_level: access.level,
  access_level_description: access.description,
});

const protectedBranch = ({ name, push, merge }: Found) => ({
  name,
  push_access_levels: [level(push)],
  merge_access_levels: [level(merge)],
});

/** Permission is checked before the parameters. */
const mayProtect = {
  document: graphql(`
    query ProtectableBranches($project: ID!) { page: protectedBranches(project: $project) { total } }
  `),
  variables: ({ id = '' }: PathParams) => ({ project: id }),
};

const one = { ...ref, name: p.text() };

const list = route({
  method: 'get',
  path: '/projects/:id/protected_branches',
  access: 'signed in',
  before: mayProtect,
  params: z.object(ref),
  document: graphql(
    `query ProtectedBranches($project: ID!, $page: Int, $perPage: Int) {
      page: protectedBranches(project: $project, page: $page, perPage: $perPage) {
        total nodes { ...ProtectedBranchFields }
      }
    }`,
    [fields],
  ),
  variables: ({ id, page, perPage }) => ({ project: id, page, perPage }),
  reshape: protectedBranch,
});

const show = route({
  method: 'get',
  path: '/projects/:id/protected_branches/:name',
  access: 'signed in',
  before: mayProtect,
  params: z.object(one),
  document: graphql(
    `query ProtectedBranch($project: ID!, $name: String!) {
      result: protectedBranch(project: $project, name: $name) { ...ProtectedBranchFields }
    }`,
    [fields],
  ),
  variables: ({ id, name }) => ({ project: id, name }),
  reshape: protectedBranch,
});

const levels = ['0', '30', '40'] as const;

const create = route({
  method: 'post',
  path: '/projects/:id/protected_branches',
  access: 'signed in',
  before: mayProtect,
  params: z.object({
    ...ref,
    name: p.text({ isFilled: true }),
    push_access_level: p.choice(levels).optional(),
    merge_access_level: p.choice(levels).optional(),
  }),
  document: graphql(
    `mutation CreateProtectedBranch(
      $project: ID!, $name: String!, $pushAccessLevel: Int, $mergeAccessLevel: Int
    ) {
      result: createProtectedBranch(
        project: $project, name: $name,
        pushAccessLevel: $pushAccessLevel, mergeAccessLevel: $mergeAccessLevel
      ) { ...ProtectedBranchFields }
    }`,
    [fields],
  ),
  variables: (params) => ({
    project: params.id,
    name: params.name,
    pushAccessLevel: levelOf(params.push_access_level),
    mergeAccessLevel: levelOf(params.merge_access_level),
  }),
  reshape: protectedBranch,
});

const levelOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

const remove = route({
  method: 'delete',
  path: '/projects/:id/protected_branches/:name',
  access: 'signed in',
  before: mayProtect,
  params: z.object(one),
  document: graphql(`
    mutation DeleteProtectedBranch($project: ID!, $name: String!) {
      deleteProtectedBranch(project: $project, name: $name)
    }
  `),
  variables: ({ id, name }) => ({ project: id, name }),
});

export const protectedBranches = [list, show, create, remove];
