import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { forSources, type SourceParent } from './entities/source.ts';
import { p, ref } from './kernel/params.ts';
import { type PathParams, route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const fields = graphql(`fragment VariableFields on Variable { key value protected: isProtected }`);

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
    $source: GroupOrProject!, $key: String!, $value: String!, $protected: Boolean
  ) {
    result: createVariable(source: $source, key: $key, value: $value, isProtected: $protected) {
      ...VariableFields
    }
  }`,
  [fields],
);

const update = graphql(
  `mutation UpdateVariable(
    $source: GroupOrProject!, $key: String!, $value: String, $protected: Boolean
  ) {
    result: updateVariable(source: $source, key: $key, value: $value, isProtected: $protected) {
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

const variableParams = { ...ref, key: p.text() };
const isProtected = p.flag().optional();

/** Variables of groups and projects: the same routes under either parent (v4-behaviour 2.11). */
const routesOf = ({ path, variables }: SourceParent) => {
  // permission is checked before the parameters
  const before = {
    document: manageable,
    variables: ({ id = '' }: PathParams) => variables({ id }),
  };
  const all = { access: 'signed in', path: `${path}/variables`, before } as const;
  const single = { ...all, path: `${all.path}/:key` } as const;
  return [
    route({
      ...all,
      method: 'get',
      params: z.object(ref),
      document: list,
      variables,
    }),
    route({
      ...single,
      method: 'get',
      params: z.object(variableParams),
      document: show,
      variables,
    }),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...variableParams, value: p.text(), protected: isProtected }),
      document: create,
      variables,
    }),
    route({
      ...single,
      method: 'put',
      params: atLeastOne(
        z.object({ ...variableParams, value: p.text().optional(), protected: isProtected }),
        'value',
        'protected',
      ),
      document: update,
      variables,
    }),
    route({
      ...single,
      method: 'delete',
      params: z.object(variableParams),
      document: remove,
      variables,
    }),
  ];
};

export const variables = forSources(routesOf);
