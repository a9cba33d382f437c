import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { p } from '../../../rest-facade/kernel/params.ts';
import { type Route, route } from '../../../rest-facade/kernel/route.ts';
import { graphql } from '../../../schema/client/graphql.ts';

// tsc fails if a line marked with @ts-expect-error compiles; the test shows that the valid routes run

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
  ];
  expect(routes.map(({ path, operation }) => [path, operation.document])).toEqual(
    routes.map(() => ['/projects/:id', document]),
  );
});
