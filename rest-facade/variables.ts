import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { type PathParams, route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const fields = graphql(`fragment VariableFields on Variable { key value isProtected }`);

const variable = ({ key, value, isProtected }: ResultOf<typeof fields>) => ({
  key,
  value,
  protected: isProtected,
});

const manageable = graphql(
  `query ManageableVariables($source: GroupOrProject!) { variables(source: $source) { __typename } }`,
);

const list = graphql(
  `query Variables($source: GroupOrProject!, $page: Int, $perPage: Int) {
    page: variables(source: $source, page: $page, perPage: $perPage) {
      total nodes { ...VariableFields }
    }
  }`,
  [fields],
);

const show = graphql(
  `query Variable($source: GroupOrProject!, $key: String!) {
    result: variable(source: $source, key: $key) { ...VariableFields }
  }`,
  [fields],
);

const create = graphql(
  `mutation CreateVariable(
    $source: GroupOrProject!, $key: String!, $value: String!, $isProtected: Boolean
  ) {
    result: createVariable(source: $source, key: $key, value: $value, isProtected: $isProtected) {
      ...VariableFields
    }
  }`,
  [fields],
);

const update = graphql(
  `mutation UpdateVariable(
    $source: GroupOrProject!, $key: String!, $value: String, $isProtected: Boolean
  ) {
    result: updateVariable(source: $source, key: $key, value: $value, isProtected: $isProtected) {
      ...VariableFields
    }
  }`,
  [fields],
);

const remove = graphql(
  `mutation DeleteVariable($source: GroupOrProject!, $key: String!) {
    deleteVariable(source: $source, key: $key)
  }`,
);

const one = { ...ref, key: p.text() };
const isProtected = p.flag().optional();

type Source = (id: string) => { readonly group: string } | { readonly project: string };

/** Variables of groups and projects: the same routes under either parent (v4-behaviour 2.11). */
function variableRoutes(parent: 'groups' | 'projects', source: Source) {
  // permission is checked before the parameters
  const before = {
    document: manageable,
    variables: ({ id = '' }: PathParams) => ({ source: source(id) }),
  };
  const all = { access: 'signed in', path: `/${parent}/:id/variables`, before } as const;
  const single = { ...all, path: `/${parent}/:id/variables/:key` } as const;
  return [
    route({
      ...all,
      method: 'get',
      params: z.object(ref),
      document: list,
      variables: ({ id, page, perPage }) => ({ source: source(id), page, perPage }),
      reshape: variable,
    }),
    route({
      ...single,
      method: 'get',
      params: z.object(one),
      document: show,
      variables: ({ id, key }) => ({ source: source(id), key }),
      reshape: variable,
    }),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...one, value: p.text(), protected: isProtected }),
      document: create,
      variables: ({ id, key, value, protected: isKept }) => ({
        source: source(id),
        key,
        value,
        isProtected: isKept,
      }),
      reshape: variable,
    }),
    route({
      ...single,
      method: 'put',
      params: atLeastOne(
        z.object({ ...one, value: p.text().optional(), protected: isProtected }),
        'value',
        'protected',
      ),
      document: update,
      variables: ({ id, key, value, protected: isKept }) => ({
        source: source(id),
        key,
        value,
        isProtected: isKept,
      }),
      reshape: variable,
    }),
    route({
      ...single,
      method: 'delete',
      params: z.object(one),
      document: remove,
      variables: ({ id, key }) => ({ source: source(id), key }),
    }),
  ];
}

export const variables = [
  ...variableRoutes('groups', (group) => ({ group })),
  ...variableRoutes('projects', (project) => ({ project })),
];
