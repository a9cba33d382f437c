import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { given } from '../kernel/given.ts';
import { done, orThrow } from '../kernel/results.ts';
import { findGroupOrProject, sourceArgs } from '../projects/group-or-project.ts';
import { createMilestone, deleteMilestone, updateMilestone } from './change.ts';
import { canAdminMilestones } from './policy.ts';
import { Milestone, MilestoneState } from './types.ts';

const milestoneArgs = builder.args((t) => ({
  id: t.int({ required: true, description: 'The id of the milestone.' }),
}));

const details = builder.args((t) => ({
  description: t.string({ description: 'The description in Markdown; null clears it.' }),
  startDate: t.field({
    type: 'Date',
    description: 'The day on which the milestone starts; null for none.',
  }),
  dueDate: t.field({
    type: 'Date',
    description: 'The day by which the milestone is due, not before the start; null for none.',
  }),
}));

const clearable = ['description', 'startDate', 'dueDate'] as const;

builder.mutationFields((t) => ({
  createMilestone: t.prismaField({
    type: Milestone,
    description: 'Creates a milestone of a group or project. Developers only.',
    args: {
      ...sourceArgs,
      ...details,
      title: t.arg.string({
        required: true,
        description: 'The title, unique in the group or project.',
      }),
    },
    resolve: async (query, _root, { source: ref, title, ...details }, ctx) => {
      const source = await findGroupOrProject(ref, ctx, canAdminMilestones);
      const id = await createMilestone(source, { title, ...given(details, clearable) }, ctx);
      return orThrow(ctx.db.milestone.findUnique({ ...query, where: { id } }), recordNotFound);
    },
  }),
  updateMilestone: t.prismaField({
    type: Milestone,
    description: 'Changes a milestone; absent fields stay as they are. Developers only.',
    args: {
      ...sourceArgs,
      ...milestoneArgs,
      ...details,
      title: t.arg.string({ description: 'The title, unique in the group or project.' }),
      state: t.arg({ type: MilestoneState, description: 'Closes or reopens the milestone.' }),
    },
    resolve: async (query, _root, { source: ref, id, ...input }, ctx) => {
      const source = await findGroupOrProject(ref, ctx, canAdminMilestones);
      await updateMilestone(source, id, given(input, clearable), ctx);
      return orThrow(ctx.db.milestone.findUnique({ ...query, where: { id } }), recordNotFound);
    },
  }),
  deleteMilestone: t.id({
    extensions: { identifies: 'Milestone' },
    description:
      'Deletes a milestone and removes it from its issues and merge requests. Developers only.',
    args: { ...sourceArgs, ...milestoneArgs },
    resolve: async (_root, { source: ref, id }, ctx) =>
      done(deleteMilestone(await findGroupOrProject(ref, ctx, canAdminMilestones), id, ctx), id),
  }),
}));
