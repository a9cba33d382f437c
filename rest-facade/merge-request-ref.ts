import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s } from './kernel/shape.ts';

const mergeRef = route({
  method: 'get',
  path: '/projects/:id/merge_requests/:merge_request_iid/merge_ref',
  description:
    'From GitLab 12.1. Merges the branches as they are now into `refs/merge-requests/:iid/merge`, which can be fetched; neither branch moves.',
  access: 'anyone',
  params: z.object({ ...ref, merge_request_iid: p.id() }),
  document: graphql(
    `mutation UpdateMergeRef($id: ID!, $merge_request_iid: Int!) {
      result: updateMergeRef(project: $id, iid: $merge_request_iid) { commit_id: id }
    }`,
  ),
  response: entity('MergeRequestRef', {
    commit_id: s.text().describe('The id of the merge commit.'),
  }),
});

export const mergeRequestRef = [mergeRef];
