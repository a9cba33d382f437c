import { readFileSync } from 'node:fs';
import { BreakingChangeType, buildSchema, findSchemaChanges, type GraphQLSchema } from 'graphql';
import { expect, test } from 'vitest';

const schemaIn = (file: string) => buildSchema(readFileSync(file, 'utf8'));
const changelog = readFileSync('CHANGELOG.md', 'utf8').replaceAll(/\s+/g, ' ');

/** The changes that can break a document written for `released`, in words. */
const breakingChanges = (released: GraphQLSchema, current: GraphQLSchema) =>
  findSchemaChanges(released, current)
    .filter(({ type }) => type in BreakingChangeType)
    .map(({ description }) => description);

// a breaking change is accepted by its sentence in the changelog
test('every breaking change of the GraphQL schema since the last release is in CHANGELOG.md', () => {
  const changes = breakingChanges(
    schemaIn('schema/released.graphql'),
    schemaIn('schema/schema.graphql'),
  );
  expect(changes.filter((change) => !changelog.includes(change))).toEqual([]);
});

test('a removed field and a new required argument are breaking changes', () => {
  const released = buildSchema('type Query { issue: Int, project: Int }');
  const current = buildSchema('type Query { project(id: ID!): Int }');
  expect(breakingChanges(released, current)).toEqual([
    'Field Query.issue was removed.',
    'A required argument Query.project(id:) was added.',
  ]);
});
