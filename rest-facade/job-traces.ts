import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const append = route({
  method: 'patch',
  path: '/jobs/:id/trace',
  // runners show the token of their job and are nobody else
  access: 'anyone',
  headers: { token: 'Job-Token', content_range: 'Content-Range' },
  params: z.object({
    id: p.id(),
    token: p.text().optional(),
    content_range: p.text().optional(),
    piece: p.body(),
  }),
  document: graphql(
    `mutation AppendTrace($id: Int!, $token: String, $range: String, $piece: Bytes!) {
      appendTrace(id: $id, token: $token, range: $range, piece: $piece) { size isInPlace status }
    }`,
  ),
  variables: ({ id, token, content_range, piece }) => ({ id, token, range: content_range, piece }),
  send: async ({ appendTrace: { size, isInPlace, status } }) => {
    const headers = { Range: `0-${size}` };
    return isInPlace
      ? {
          status: 202,
          headers: { ...headers, 'Job-Status': status },
          body: { message: '202 Accepted' },
        }
      : { status: 416, headers, body: { error: '416 Range Not Satisfiable' } };
  },
});

/** What runners say of their jobs while these run (v4-behaviour 3.12). */
export const jobTraces = [append];
