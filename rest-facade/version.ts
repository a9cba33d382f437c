import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { route } from './kernel/route.ts';
import { entity, s } from './kernel/shape.ts';

const show = route({
  method: 'get',
  path: '/version',
  access: 'signed in',
  params: z.object({}),
  document: graphql('query Version { version: interfaceVersion revision }'),
  response: entity('Version', {
    version: s.text().describe('The version of the interface.'),
    revision: s.text().describe('The revision of the program.'),
  }),
  reshape: (data) => data,
});

export const version = [show];
