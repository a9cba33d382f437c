import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { p } from '../../../rest-facade/kernel/params.ts';
import { type Route, route } from '../../../rest-facade/kernel/route.ts';
import { graphql } from '../../../schema/client/graphql.ts';

// tsc fails if a line marked with @ts-expect-error compiles; the test checks that a valid route runs

const wire = { method: 'get', path: '/projects/:id', access: 'anyone' } as const;
const params = z.object({ id: p.text() });
const document = graphql('query TypedProject($id: ID!) { project(id: $id) { id name } }');

const valid = route({
  ...wire,
  params,
  document,
  variables: ({ id }) => ({ id }),
  reshape: ({ project }) => {
    expectTypeOf(project.name).toEqualTypeOf<string>();
    return { name: project.name };
  },
});

const unknownMethod = route({
  ...wire,
  // @ts-expect-error: HTTP has no such method
  method: 'fetch',
  params,
  document,
  variables: ({ id }: { readonly id: string }) => ({ id }),
});

const missingVariable = route({
  ...wire,
  params,
  document,
  // @ts-expect-error: the document requires `id`
  variables: () => ({}),
});

const unknownParameter = route({
  ...wire,
  params,
  document,
  // @ts-expect-error: `params` does not declare `name`
  variables: ({ name }) => ({ id: name }),
});

const unknownField = route({
  ...wire,
  params,
  document,
  variables: ({ id }) => ({ id }),
  // @ts-expect-error: the document does not select `path`
  reshape: ({ project }) => ({ path: project.path }),
});

const listDocument = graphql(
  `query TypedActivities($from: Date, $page: Int, $perPage: Int) {
    page: userActivities(from: $from, page: $page, perPage: $perPage) { total nodes { id } }
  }`,
);

const resultDocument = graphql('query TypedResult($id: ID!) { result: project(id: $id) { id } }');

const withoutVariables = route({ ...wire, params, document });

const withoutReshape = route({ ...wire, params, document: resultDocument });

const resultReshaped = route({
  ...wire,
  params,
  document: resultDocument,
  reshape: (record) => {
    expectTypeOf(record).toEqualTypeOf<{ id: number }>();
    return record;
  },
});

const listing = route({
  ...wire,
  params: z.object({ from: p.date().optional() }),
  document: listDocument,
  reshape: (record, _site, input) => {
    expectTypeOf(record).toEqualTypeOf<{ id: number }>();
    expectTypeOf(input.perPage).toEqualTypeOf<number>();
    return record;
  },
});

const nestedListing = route({
  ...wire,
  params,
  document: graphql(
    `query TypedUsers($id: ID!, $page: Int, $perPage: Int) {
      project(id: $id) { page: users(page: $page, perPage: $perPage) { total nodes { username } } }
    }`,
  ),
  reshape: ({ username }) => {
    expectTypeOf(username).toEqualTypeOf<string>();
    return { username };
  },
});

// @ts-expect-error: the document requires `id`, which is no parameter
const missingParameter = route({ ...wire, params: z.object({}), document });

// @ts-expect-error: the document declares the optional `from`, which is no parameter
const missingOption = route({ ...wire, params: z.object({}), document: listDocument });

// @ts-expect-error: the document does not declare `name`
const surplusParameter = route({
  ...wire,
  params: z.object({ id: p.text(), name: p.text().optional() }),
  document,
});

// @ts-expect-error: `id` is a number
const mistypedParameter = route({ ...wire, params: z.object({ id: p.id() }), document });

// @ts-expect-error: the document requires `id`, which is optional
const optionalParameter = route({
  ...wire,
  params: z.object({ id: p.text().optional() }),
  document,
});

const unknownFieldOfResult = route({
  ...wire,
  params,
  document: resultDocument,
  // @ts-expect-error: the document does not select `path`
  reshape: ({ path }) => path,
});

const writesToContext = route({
  ...wire,
  params,
  document,
  variables: ({ id }) => ({ id }),
  // @ts-expect-error: `send` returns the response
  send: async () => {},
});

test('route() returns the route it was given, with its operation', () => {
  const routes: readonly Route[] = [
    valid,
    unknownMethod,
    missingVariable,
    unknownParameter,
    unknownField,
    writesToContext,
    withoutVariables,
    missingParameter,
    surplusParameter,
    mistypedParameter,
    optionalParameter,
  ];
  expect(routes.map(({ path, operation }) => [path, operation.document])).toEqual(
    routes.map(() => ['/projects/:id', document]),
  );
});

const site = { url: 'https://code.example', viewer: null };

test('without `variables` the parameters are the variables', () => {
  const { variables } = withoutVariables.operation;
  expect(variables({ id: 'a/b' }, null)).toEqual({ id: 'a/b' });
});

test('a document with a `result` gives the body, one without gives none unless it is reshaped', () => {
  const data = { result: { id: 7 } };
  for (const { operation } of [withoutReshape, resultReshaped, unknownFieldOfResult]) {
    expect(operation.total).toBeUndefined();
  }
  expect(withoutReshape.operation.body?.(data, site, {})).toBe(data.result);
  expect(resultReshaped.operation.body?.(data, site, {})).toBe(data.result);
  expect(withoutVariables.operation.body).toBeUndefined();
  expect(valid.operation.body?.({ project: { id: 7, name: 'x' } }, site, {})).toEqual({
    name: 'x',
  });
});

test('a document with a `page`, at any depth, makes a listing of its nodes', () => {
  const page = { total: 45, nodes: [{ id: 7, username: 'ada' }] };
  for (const { operation } of [listing, missingOption]) {
    expect(operation.total?.({ page })).toBe(45);
    expect(operation.body?.({ page }, site, {})).toEqual(page.nodes);
  }
  const { total, body } = nestedListing.operation;
  expect(total?.({ project: { page } })).toBe(45);
  expect(body?.({ project: { page } }, site, {})).toEqual([{ username: 'ada' }]);
});
