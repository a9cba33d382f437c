import { readFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema, validate } from 'graphql';
import { expect, test } from 'vitest';
import { routes } from '../rest-facade/index.ts';
import { oauthRoutes } from '../rest-facade/oauth/index.ts';
import { schema } from '../schema/index.ts';
import { publicView } from '../schema/public/view.ts';
import { documents } from '../soap-facade/operations.ts';

const all = [...routes, ...oauthRoutes].flatMap((route) => [
  route,
  ...(route.choices?.routes.values() ?? []),
]);

test.each(all)('the document of $method $path is valid', ({ operation, before }) => {
  const documents = [
    operation.document,
    ...(operation.byKeys ? [operation.byKeys().document] : []),
    ...(before ? [before.document] : []),
  ];
  expect(documents.flatMap((document) => validate(schema, document))).toEqual([]);
});

test('the documents of SOAP operations are valid', () => {
  expect(documents.flatMap((document) => validate(schema, document))).toEqual([]);
});

test('schema.graphql is up to date', () => {
  const printed = `${printSchema(lexicographicSortSchema(publicView(schema)))}\n`;
  expect(readFileSync('schema/schema.graphql', 'utf8')).toBe(printed);
});
