import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { levelOf, ruleLevel, ruleLevels, ruleRoutes } from './entities/protection-rule.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s, shaped } from './kernel/shape.ts';

const fields = graphql(`
  fragment ProtectedTagFields on ProtectedTag {
    name create { access_level: level access_level_description: description }
  }
`);

const protectedTag = shaped(
  entity('ProtectedTag', {
    name: s.text(),
    create_access_levels: s.list(ruleLevel).describe('Who may create such tags.'),
  }),
  ({ name, create }: ResultOf<typeof fields>) => ({ name, create_access_levels: [create] }),
);

const rules = ruleRoutes(
  '/projects/:id/protected_tags',
  graphql(`
    query ProtectableTags($project: ID!) { page: protectedTags(project: $project) { total } }
  `),
);

const since = { description: 'From GitLab 11.3.' };

const list = route({
  ...since,
  ...rules.list,
  document: graphql(
    `query ProtectedTags($id: ID!, $page: Int, $perPage: Int) {
      page: protectedTags(project: $id, page: $page, perPage: $perPage) {
        total nodes { ...ProtectedTagFields }
      }
    }`,
    [fields],
  ),
  reshape: protectedTag,
});

const show = route({
  ...since,
  ...rules.show,
  document: graphql(
    `query ProtectedTag($id: ID!, $name: String!) {
      result: protectedTag(project: $id, name: $name) { ...ProtectedTagFields }
    }`,
    [fields],
  ),
  reshape: protectedTag,
});

const create = route({
  ...since,
  ...rules.create,
  params: z.object({
    ...ref,
    name: p.text({ isFilled: true }),
    create_access_level: p
      .choice(ruleLevels)
      .optional()
      .describe('The lowest level that may create such tags: 0 (no user), 30 or 40 (default).'),
  }),
  document: graphql(
    `mutation CreateProtectedTag($id: ID!, $name: String!, $level: Int) {
      result: createProtectedTag(project: $id, name: $name, createAccessLevel: $level) {
        ...ProtectedTagFields
      }
    }`,
    [fields],
  ),
  variables: ({ create_access_level: level, ...params }) => ({
    ...params,
    level: levelOf(level),
  }),
  reshape: protectedTag,
});

const remove = route({
  ...since,
  ...rules.remove,
  document: graphql(`
    mutation DeleteProtectedTag($id: ID!, $name: String!) {
      deleteProtectedTag(project: $id, name: $name)
    }
  `),
});

export const protectedTags = [list, show, create, remove];
