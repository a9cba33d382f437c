import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { given } from '../kernel/given.ts';
import { done, orThrow } from '../kernel/results.ts';
import { findGroupOrProject, sourceArgs } from '../projects/group-or-project.ts';
import { createMilestone, deleteMilestone, updateMilestone } from './change.ts';
import { canAdminMilestones } from './policy.ts';
import { Milestone, MilestoneState } from './types.ts';

const milestoneArgs = builder.args((t) => ({ id: t.int({ required: true }) }));

const details = builder.args((t) => ({
  /** Null clears it, like the dates. */
  description: t.string(),
  startDate: t.field({ type: 'Date' }),
  /** Not before the start date. */
  dueDate: t.field({ type: 'Date' }),
}));

const clearable = ['description', 'startDate', 'dueDate'] as const;

builder.mutationFields((t) => ({
  createMilestone: t.prismaField({
    type: Milestone,
    args: { ...sourceArgs, ...details, title: t.arg.string({ required: true }) },
    resolve: async (query, _root, { source: ref, title, ...details }, ctx) => {
      const source = await findGroupOrProject(ref, ctx, canAdminMilestones);
      const id = await createMilestone(source, { title, ...given(details, clearable) }, ctx);
      return orThrow(ctx.db.milestone.findUnique({ ...query, where: { id } }), recordNotFound);
    },
  }),
  updateMilestone: t.prismaField({
    type: Milestone,
    description: 'Changes what is given.',
    args: {
      ...sourceArgs,
      ...milestoneArgs,
      ...details,
      title: t.arg.string(),
      state: t.arg({ type: MilestoneState }),
    },
    resolve: async (query, _root, { source: ref, id, ...input }, ctx) => {
      const source = await findGroupOrProject(ref, ctx, canAdminMilestones);
      await updateMilestone(source, id, given(input, clearable), ctx);
      return orThrow(ctx.db.milestone.findUnique({ ...query, where: { id } }), recordNotFound);
    },
  }),
  deleteMilestone: t.boolean({
    args: { ...sourceArgs, ...milestoneArgs },
    resolve: async (_root, { source: ref, id }, ctx) =>
      done(deleteMilestone(await findGroupOrProject(ref, ctx, canAdminMilestones), id, ctx)),
  }),
}));
