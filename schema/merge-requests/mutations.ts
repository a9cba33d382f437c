import { addIssuableFields, iidArgs } from '../issuables/fields.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { done } from '../kernel/results.ts';
import { createMergeRequest } from './create.ts';
import { findMergeRequest, reloadMergeRequest } from './find.ts';
import { MergeRequestChangeInput, NewMergeRequestInput } from './inputs.ts';
import { removeMergeRequest } from './remove.ts';
import { changeMergeRequestTime } from './time.ts';
import { MergeRequest } from './types.ts';
import { updateMergeRequest } from './update.ts';

builder.mutationFields((t) => ({
  createMergeRequest: t.prismaField({
    type: MergeRequest,
    description: 'Offers a branch of the project to another one.',
    complexity: walkCost,
    args: {
      project: t.arg.id({ required: true }),
      mergeRequest: t.arg({ type: NewMergeRequestInput, required: true }),
    },
    resolve: async (query, _root, { project, mergeRequest }, ctx) => {
      const id = await createMergeRequest(project, mergeRequest, ctx);
      return reloadMergeRequest(query, id, ctx);
    },
  }),
  updateMergeRequest: t.prismaField({
    type: MergeRequest,
    complexity: walkCost,
    args: { ...iidArgs, change: t.arg({ type: MergeRequestChangeInput, required: true }) },
    resolve: async (query, _root, { project, iid, change }, ctx) => {
      const id = await updateMergeRequest(project, iid, change, ctx);
      return reloadMergeRequest(query, id, ctx);
    },
  }),
  deleteMergeRequest: t.boolean({
    args: iidArgs,
    resolve: (_root, { project, iid }, ctx) => done(removeMergeRequest(project, iid, ctx)),
  }),
}));

addIssuableFields({
  kind: mergeRequestKind,
  type: MergeRequest,
  find: findMergeRequest,
  reload: reloadMergeRequest,
  changeTime: changeMergeRequestTime,
});
