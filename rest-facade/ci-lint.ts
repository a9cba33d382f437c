import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s } from './kernel/shape.ts';

/** The documentation of the 10.x line names `/lint`, its clients send `/ci/lint`. */
const lint = ['/ci/lint', '/lint'].map((path) =>
  route({
    method: 'post',
    path,
    ...(path === '/lint' && { title: 'Validate a CI configuration file by the shorter path' }),
    access: 'anyone',
    status: 200,
    params: z.object({ content: p.text() }),
    document: graphql(
      'query CiLint($content: String!) { result: ciLint(content: $content) { errors } }',
    ),
    response: entity('CiLint', {
      status: s.choice(['valid', 'invalid']).describe('Whether the file is valid.'),
      errors: s.list(s.text()).describe('What is wrong with it.'),
    }),
    reshape: ({ errors }) => ({
      status: errors.length > 0 ? ('invalid' as const) : ('valid' as const),
      errors,
    }),
  }),
);

export const ciLint = lint;
