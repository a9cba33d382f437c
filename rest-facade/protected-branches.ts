import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { type PathParams, route } from './kernel/route.ts';
import { entity, s } from './kernel/shape.ts';

const fields = graphql(`
  fragment ProtectedBranchFields on ProtectedBranch {
    name
    push { access_level: level access_level_description: description }
    merge { access_level: level access_level_description: description }
  }
`);

const accessLevels = s.list(
  entity('BranchAccessLevel', { access_level: s.int(), access_level_description: s.text() }),
);

const shape = entity('ProtectedBranch', {
  name: s.text(),
  push_access_levels: accessLevels.describe('The lowest access level that may push.'),
  merge_access_levels: accessLevels.describe('The lowest access level that may merge.'),
});

const protectedBranch = ({ name, push, merge }: ResultOf<typeof fields>) => ({
  name,
  push_access_levels: [push],
  merge_access_levels: [merge],
});

/** Permission is checked before the parameters. */
const mayProtect = {
  document: graphql(`
    query ProtectableBranches($project: ID!) { page: protectedBranches(project: $project) { total } }
  `),
  variables: ({ id = '' }: PathParams) => ({ project: id }),
};

const branchParams = { ...ref, name: p.text() };

const list = route({
  method: 'get',
  path: '/projects/:id/protected_branches',
  access: 'signed in',
  before: mayProtect,
  title: 'List the protected branches of a project',
  params: z.object(ref),
  document: graphql(
    `query ProtectedBranches($id: ID!, $page: Int, $perPage: Int) {
      page: protectedBranches(project: $id, page: $page, perPage: $perPage) {
        total nodes { ...ProtectedBranchFields }
      }
    }`,
    [fields],
  ),
  response: shape,
  reshape: protectedBranch,
});

const show = route({
  method: 'get',
  path: '/projects/:id/protected_branches/:name',
  access: 'signed in',
  before: mayProtect,
  title: 'Show a protected branch of a project',
  params: z.object(branchParams),
  document: graphql(
    `query ProtectedBranch($id: ID!, $name: String!) {
      result: protectedBranch(project: $id, name: $name) { ...ProtectedBranchFields }
    }`,
    [fields],
  ),
  response: shape,
  reshape: protectedBranch,
});

const levels = ['0', '30', '40'] as const;

const create = route({
  method: 'post',
  path: '/projects/:id/protected_branches',
  access: 'signed in',
  before: mayProtect,
  title: 'Create a protected branch of a project',
  params: z.object({
    ...ref,
    name: p.text({ isFilled: true }),
    push_access_level: p.choice(levels).optional(),
    merge_access_level: p.choice(levels).optional(),
  }),
  document: graphql(
    `mutation CreateProtectedBranch(
      $id: ID!, $name: String!, $pushAccessLevel: Int, $mergeAccessLevel: Int
    ) {
      result: createProtectedBranch(
        project: $id, name: $name,
        pushAccessLevel: $pushAccessLevel, mergeAccessLevel: $mergeAccessLevel
      ) { ...ProtectedBranchFields }
    }`,
    [fields],
  ),
  response: shape,
  statuses: [409],
  variables: ({ id, name, push_access_level, merge_access_level }) => ({
    id,
    name,
    pushAccessLevel: levelOf(push_access_level),
    mergeAccessLevel: levelOf(merge_access_level),
  }),
  reshape: protectedBranch,
});

const levelOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

const remove = route({
  method: 'delete',
  path: '/projects/:id/protected_branches/:name',
  access: 'signed in',
  before: mayProtect,
  title: 'Delete a protected branch of a project',
  params: z.object(branchParams),
  document: graphql(`
    mutation DeleteProtectedBranch($id: ID!, $name: String!) {
      deleteProtectedBranch(project: $id, name: $name)
    }
  `),
});

export const protectedBranches = [list, show, create, remove];
