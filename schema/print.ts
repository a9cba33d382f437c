import { writeFileSync } from 'node:fs';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { introspectionFromSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './index.ts';
import { publicView } from './public/view.ts';

writeFileSync(
  'schema/schema.graphql',
  `${printSchema(lexicographicSortSchema(publicView(schema)))}\n`,
);
writeFileSync(
  'schema/client/introspection.d.ts',
  outputIntrospectionFile(
    minifyIntrospection(introspectionFromSchema(lexicographicSortSchema(schema))),
    {
      fileType: '.d.ts',
      shouldPreprocess: true,
    },
  ).replace(/import \* as gqlTada[\s\S]*$/, ''),
);
