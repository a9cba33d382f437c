import { Commit } from '../commits/types.ts';
import { iidArgs } from '../issuables/fields.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { byMergeRequest } from '../merge-requests/node.ts';
import { updateMergeRef } from './merge-ref.ts';

builder.mutationField('updateMergeRef', (t) =>
  t.field({
    extensions: byMergeRequest,
    type: Commit,
    description:
      'Merges the branches of a merge request as they are now into `refs/merge-requests/<iid>/merge`, and returns the merge commit. Neither branch moves. Users who may see the merge request. INVALID if it is not open, or cannot be merged.',
    complexity: heavyCost,
    args: iidArgs,
    resolve: async (_root, { project, iid }, ctx) => {
      const { commit, repository } = await updateMergeRef(project, iid, ctx);
      return { ...commit, repository };
    },
  }),
);
