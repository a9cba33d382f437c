import { writeFileSync } from 'node:fs';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { introspectionFromSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './index.ts';

const sorted = lexicographicSortSchema(schema);

writeFileSync('schema/schema.graphql', `${printSchema(sorted)}\n`);
writeFileSync(
  'schema/client/introspection.d.ts',
  outputIntrospectionFile(minifyIntrospection(introspectionFromSchema(sorted)), {
    fileType: '.d.ts',
    shouldPreprocess: true,
  }).replace(/import \* as gqlTada[\s\S]*$/, ''),
);
