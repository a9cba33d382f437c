import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const lint = route({
  method: 'post',
  path: '/ci/lint',
  access: 'anyone',
  status: 200,
  params: z.object({ content: p.text() }),
  document: graphql(
    'query CiLint($content: String!) { result: ciLint(content: $content) { errors } }',
  ),
  reshape: ({ errors }) => ({ status: errors.length > 0 ? 'invalid' : 'valid', errors }),
});

export const ciLint = [lint];
