import { iidArgs } from '../issuables/fields.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost, walkCost } from '../kernel/cost.ts';
import { storedRecord } from '../listing/records.ts';
import { byMergeRequest } from '../merge-requests/node.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { approveMergeRequest, unapproveMergeRequest } from './approve.ts';
import { cancelAutomaticMerge } from './automatic-merge.ts';
import { MergeInput } from './input.ts';
import { acceptMergeRequest } from './merge.ts';
import { unlinkFork } from './unlink-fork.ts';

builder.mutationFields((t) => ({
  acceptMergeRequest: t.prismaField({
    extensions: byMergeRequest,
    type: MergeRequest,
    description:
      'Merges a merge request by a merge commit of the current user, or when its pipeline succeeds. Users who may push to or merge into the target branch.',
    complexity: heavyCost,
    args: {
      ...iidArgs,
      merge: t.arg({
        type: MergeInput,
        required: true,
        description: 'How the merge request is merged.',
      }),
    },
    resolve: async (query, _root, { project, iid, merge }, ctx) => {
      const id = await acceptMergeRequest(project, iid, merge, ctx);
      return storedRecord(ctx, 'mergeRequest', id, query);
    },
  }),
  cancelAutomaticMerge: t.prismaField({
    extensions: byMergeRequest,
    type: MergeRequest,
    description:
      'Cancels the merge that waits for a pipeline. Users who may merge into the target branch, and the user who set it.',
    args: iidArgs,
    resolve: async (query, _root, { project, iid }, ctx) => {
      const id = await cancelAutomaticMerge(project, iid, ctx);
      return storedRecord(ctx, 'mergeRequest', id, query);
    },
  }),
  approveMergeRequest: t.prismaField({
    extensions: byMergeRequest,
    type: MergeRequest,
    complexity: walkCost,
    description:
      'Approves a merge request in the name of the current user, and writes a system note. Developers and above, also the author. UNAUTHENTICATED if the current user has approved it before.',
    args: {
      ...iidArgs,
      sha: t.arg.string({
        description: 'The head commit that is approved; CONFLICT if it is another one by now.',
      }),
    },
    resolve: async (query, _root, { project, iid, sha }, ctx) => {
      const id = await approveMergeRequest(project, iid, sha ?? null, ctx);
      return storedRecord(ctx, 'mergeRequest', id, query);
    },
  }),
  unapproveMergeRequest: t.prismaField({
    extensions: byMergeRequest,
    type: MergeRequest,
    description:
      'Withdraws the approval of the current user, and writes a system note. Developers and above. NOT_FOUND if the current user has not approved it.',
    args: iidArgs,
    resolve: async (query, _root, { project, iid }, ctx) => {
      const id = await unapproveMergeRequest(project, iid, ctx);
      return storedRecord(ctx, 'mergeRequest', id, query);
    },
  }),
  deleteForkRelation: t.boolean({
    description:
      'Deletes the relation of a fork to its origin and closes its merge requests to it. Requires the access level OWNER. Changes nothing if the project was no fork.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
    },
    resolve: (_root, { project }, ctx) => unlinkFork(project, ctx),
  }),
}));
