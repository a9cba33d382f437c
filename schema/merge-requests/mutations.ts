import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { createMergeRequest } from './create.ts';
import { reloadMergeRequest } from './reload.ts';
import { removeMergeRequest } from './remove.ts';
import { MergeRequest } from './types.ts';
import { updateMergeRequest } from './update.ts';

const NewMergeRequestInput = builder.inputType('NewMergeRequest', {
  fields: (t) => ({
    title: t.string({ required: true }),
    sourceBranch: t.string({ required: true }),
    targetBranch: t.string({ required: true }),
    /** A project that the source project was forked from; the source project if omitted. */
    targetProject: t.id(),
    description: t.string(),
    assigneeId: t.int(),
    milestoneId: t.int(),
    /** Names; labels that do not exist are created. */
    labels: t.stringList(),
    removesSourceBranch: t.boolean(),
  }),
});

const MergeRequestStateEvent = builder.enumType('MergeRequestStateEvent', {
  values: ['close', 'reopen'] as const,
});

const MergeRequestChangeInput = builder.inputType('MergeRequestChange', {
  description: 'What is left out stays as it is; null takes a milestone or assignee away.',
  fields: (t) => ({
    title: t.string(),
    description: t.string(),
    targetBranch: t.string(),
    stateEvent: t.field({ type: MergeRequestStateEvent }),
    isDiscussionLocked: t.boolean(),
    removesSourceBranch: t.boolean(),
    assigneeId: t.int(),
    milestoneId: t.int(),
    /** The names of all labels afterwards; labels that do not exist are created. */
    labels: t.stringList(),
  }),
});

const iidArgs = builder.args((t) => ({
  project: t.id({ required: true }),
  iid: t.int({ required: true }),
}));

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
    resolve: async (_root, { project, iid }, ctx) => {
      await removeMergeRequest(project, iid, ctx);
      return true;
    },
  }),
}));
