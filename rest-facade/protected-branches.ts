import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { levelOf, ruleLevel, ruleLevels, ruleRoutes } from './entities/protection-rule.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s, shaped } from './kernel/shape.ts';

const fields = graphql(`
  fragment ProtectedBranchFields on ProtectedBranch {
    name
    push { access_level: level access_level_description: description }
    merge { access_level: level access_level_description: description }
  }
`);

const protectedBranch = shaped(
  entity('ProtectedBranch', {
    name: s.text(),
    push_access_levels: s.list(ruleLevel).describe('Who may push.'),
    merge_access_levels: s.list(ruleLevel).describe('Who may merge.'),
  }),
  ({ name, push, merge }: ResultOf<typeof fields>) => ({
    name,
    push_access_levels: [push],
    merge_access_levels: [merge],
  }),
);

const rules = ruleRoutes(
  '/projects/:id/protected_branches',
  graphql(`
    query ProtectableBranches($project: ID!) { page: protectedBranches(project: $project) { total } }
  `),
);

const list = route({
  ...rules.list,
  document: graphql(
    `query ProtectedBranches($id: ID!, $page: Int, $perPage: Int) {
      page: protectedBranches(project: $id, page: $page, perPage: $perPage) {
        total nodes { ...ProtectedBranchFields }
      }
    }`,
    [fields],
  ),
  reshape: protectedBranch,
});

const show = route({
  ...rules.show,
  document: graphql(
    `query ProtectedBranch($id: ID!, $name: String!) {
      result: protectedBranch(project: $id, name: $name) { ...ProtectedBranchFields }
    }`,
    [fields],
  ),
  reshape: protectedBranch,
});

const create = route({
  ...rules.create,
  params: z.object({
    ...ref,
    name: p.text({ isFilled: true }),
    push_access_level: p.choice(ruleLevels).optional(),
    merge_access_level: p.choice(ruleLevels).optional(),
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
  variables: ({ id, name, push_access_level, merge_access_level }) => ({
    id,
    name,
    pushAccessLevel: levelOf(push_access_level),
    mergeAccessLevel: levelOf(merge_access_level),
  }),
  reshape: protectedBranch,
});

const remove = route({
  ...rules.remove,
  document: graphql(`
    mutation DeleteProtectedBranch($id: ID!, $name: String!) {
      deleteProtectedBranch(project: $id, name: $name)
    }
  `),
});

export const protectedBranches = [list, show, create, remove];
