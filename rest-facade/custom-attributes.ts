import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const fields = graphql('fragment CustomAttributeFields on CustomAttribute { key value }');

const list = graphql(
  `query CustomAttributes($owner: AttributeOwner!) {
    result: customAttributes(owner: $owner) { ...CustomAttributeFields }
  }`,
  [fields],
);

const show = graphql(
  `query CustomAttribute($owner: AttributeOwner!, $key: String!) {
    result: customAttribute(owner: $owner, key: $key) { ...CustomAttributeFields }
  }`,
  [fields],
);

const set = graphql(
  `mutation SetCustomAttribute($owner: AttributeOwner!, $key: String!, $value: String!) {
    result: setCustomAttribute(owner: $owner, key: $key, value: $value) { ...CustomAttributeFields }
  }`,
  [fields],
);

const remove = graphql(
  `mutation DeleteCustomAttribute($owner: AttributeOwner!, $key: String!) {
    deleteCustomAttribute(owner: $owner, key: $key)
  }`,
);

/** A resource type with custom attributes: its path prefix, and its field in the core's input. */
interface Parent<Id> {
  readonly path: string;
  readonly digits?: readonly string[];
  readonly id: z.ZodType<Id>;
  readonly owner: (id: Id) => OwnerInput;
}

type OwnerInput =
  | { readonly user: number }
  | { readonly group: string }
  | { readonly project: string };

/** The same routes under each parent (v4-behaviour 2.12). */
function attributeRoutes<Id>({ path, digits = [], id: kind, owner }: Parent<Id>) {
  const all = { path: `${path}/:id/custom_attributes`, digits };
  const single = { path: `${path}/:id/custom_attributes/:key`, digits };
  const attributeParams = z.object({ id: kind, key: p.text() });
  const withOwner = <Params extends { readonly id: Id }>({ id, ...params }: Params) => ({
    owner: owner(id),
    ...params,
  });
  // the core refuses anonymous users with 403, not 401
  const reading = { method: 'get', access: 'anyone', isForAdmins: true } as const;
  return [
    route({
      ...all,
      ...reading,
      params: z.object({ id: kind }),
      document: list,
      variables: withOwner,
    }),
    route({
      ...single,
      ...reading,
      params: attributeParams,
      document: show,
      variables: withOwner,
    }),
    route({
      ...single,
      method: 'put',
      access: 'admin',
      params: z.object({ id: kind, key: p.text(), value: p.text() }),
      document: set,
      variables: withOwner,
    }),
    route({
      ...single,
      method: 'delete',
      access: 'admin',
      params: attributeParams,
      document: remove,
      variables: withOwner,
    }),
  ];
}

export const customAttributes = [
  ...attributeRoutes({
    path: '/users',
    digits: ['id'],
    id: p.id(),
    owner: (user) => ({ user }),
  }),
  ...attributeRoutes({ path: '/groups', id: ref.id, owner: (group) => ({ group }) }),
  ...attributeRoutes({ path: '/projects', id: ref.id, owner: (project) => ({ project }) }),
];
