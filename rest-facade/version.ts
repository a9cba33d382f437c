import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { route } from './kernel/route.ts';

const show = route({
  method: 'get',
  path: '/version',
  access: 'signed in',
  params: z.object({}),
  document: graphql('query Version { version: interfaceVersion revision }'),
  reshape: (data) => data,
});

export const version = [show];
