import { readFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema, validate } from 'graphql';
import { expect, test } from 'vitest';
import { routes } from '../rest-facade/index.ts';
import { oauthRoutes } from '../rest-facade/oauth/index.ts';
import { schema } from '../schema/index.ts';
import { documents } from '../soap-facade/operations.ts';

test.each([...routes, ...oauthRoutes])(
  '$method $path asks for things the schema has',
  ({ operation, before }) => {
    const documents = [operation.document, ...(before ? [before.document] : [])];
    expect(documents.flatMap((document) => validate(schema, document))).toEqual([]);
  },
);

test('the operations of SOAP ask for things the schema has', () => {
  expect(documents.flatMap((document) => validate(schema, document))).toEqual([]);
});

test('schema.graphql is what the code makes', () => {
  const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;
  expect(readFileSync('schema/schema.graphql', 'utf8')).toBe(printed);
});
