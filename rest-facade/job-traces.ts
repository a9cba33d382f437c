import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { s } from './kernel/shape.ts';

const append = route({
  method: 'patch',
  path: '/jobs/:id/trace',
  // runners authenticate by the token of their job, without a user
  access: 'anyone',
  headers: { token: 'Job-Token', content_range: 'Content-Range' },
  params: z.object({
    id: p.id(),
    token: p.text().optional(),
    content_range: p.text().optional(),
    piece: p.body(),
  }),
  document: graphql(
    `mutation AppendTrace($id: Int!, $token: String, $content_range: String, $piece: Bytes!) {
      appendTrace(id: $id, token: $token, range: $content_range, piece: $piece) { size isInPlace status }
    }`,
  ),
  title: 'Append to the trace of a job',
  statuses: [202, 416],
  responseHeaders: {
    Range: 'The bytes that are stored.',
    'Job-Status': 'The status of the job, such as `canceled`.',
  },
  sends: s.object({ message: s.text().describe('Always `202 Accepted`.') }),
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

/** The traces of running jobs, as runners send them (v4-behaviour 3.12). */
export const jobTraces = [append];
