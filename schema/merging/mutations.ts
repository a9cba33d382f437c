import { iidArgs } from '../issuables/fields.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { reloadMergeRequest } from '../merge-requests/find.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { MergeInput } from './input.ts';
import { acceptMergeRequest, cancelAutomaticMerge } from './merge.ts';
import { unlinkFork } from './unlink-fork.ts';

builder.mutationFields((t) => ({
  acceptMergeRequest: t.prismaField({
    type: MergeRequest,
    description: 'Merges what it offers, by a commit of the viewer.',
    complexity: heavyCost,
    args: { ...iidArgs, merge: t.arg({ type: MergeInput, required: true }) },
    resolve: async (query, _root, { project, iid, merge }, ctx) => {
      const id = await acceptMergeRequest(project, iid, merge, ctx);
      return reloadMergeRequest(query, id, ctx);
    },
  }),
  cancelAutomaticMerge: t.prismaField({
    type: MergeRequest,
    description: 'It is not merged by itself any more.',
    args: iidArgs,
    resolve: async (query, _root, { project, iid }, ctx) => {
      const id = await cancelAutomaticMerge(project, iid, ctx);
      return reloadMergeRequest(query, id, ctx);
    },
  }),
  deleteForkRelation: t.boolean({
    description: 'False when it was no fork.',
    args: { project: t.arg.id({ required: true }) },
    resolve: (_root, { project }, ctx) => unlinkFork(project, ctx),
  }),
}));
