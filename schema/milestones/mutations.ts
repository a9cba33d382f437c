import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { GroupOrProjectInput } from '../projects/group-or-project.ts';
import { createMilestone, deleteMilestone, updateMilestone } from './change.ts';
import type { MilestoneChange } from './faults.ts';
import { findManagedMilestoneSource } from './find.ts';
import { Milestone, MilestoneState } from './types.ts';

const source = builder.args((t) => ({
  source: t.field({ type: GroupOrProjectInput, required: true }),
}));

const milestoneArgs = builder.args((t) => ({ id: t.int({ required: true }) }));

const details = builder.args((t) => ({
  /** Null clears it, like the dates. */
  description: t.string(),
  startDate: t.field({ type: 'Date' }),
  /** Not before the start date. */
  dueDate: t.field({ type: 'Date' }),
}));

builder.mutationFields((t) => ({
  createMilestone: t.prismaField({
    type: Milestone,
    args: { ...source, ...details, title: t.arg.string({ required: true }) },
    resolve: async (query, _root, { source: sourceRef, title, ...details }, ctx) => {
      const source = await findManagedMilestoneSource(sourceRef, ctx);
      const id = await createMilestone(source, { title, ...clearableFields(details) }, ctx);
      const milestone = await ctx.db.milestone.findUnique({ ...query, where: { id } });
      if (!milestone) throw recordNotFound();
      return milestone;
    },
  }),
  updateMilestone: t.prismaField({
    type: Milestone,
    description: 'Changes what is given.',
    args: {
      ...source,
      ...milestoneArgs,
      ...details,
      title: t.arg.string(),
      state: t.arg({ type: MilestoneState }),
    },
    resolve: async (query, _root, { source: sourceRef, id, title, state, ...details }, ctx) => {
      const change = {
        ...(typeof title === 'string' && { title }),
        ...(state && { state }),
        ...clearableFields(details),
      };
      await updateMilestone(await findManagedMilestoneSource(sourceRef, ctx), id, change, ctx);
      const milestone = await ctx.db.milestone.findUnique({ ...query, where: { id } });
      if (!milestone) throw recordNotFound();
      return milestone;
    },
  }),
  deleteMilestone: t.boolean({
    args: { ...source, ...milestoneArgs },
    resolve: async (_root, { source: sourceRef, id }, ctx) => {
      await deleteMilestone(await findManagedMilestoneSource(sourceRef, ctx), id, ctx);
      return true;
    },
  }),
}));

type Details = Pick<MilestoneChange, 'description' | 'startDate' | 'dueDate'>;

/** Null clears a field; an omitted field stays unchanged. */
const clearableFields = ({
  description,
  startDate,
  dueDate,
}: { readonly [Key in keyof Details]?: Details[Key] | undefined }): Details => ({
  ...(description !== undefined && { description }),
  ...(startDate !== undefined && { startDate }),
  ...(dueDate !== undefined && { dueDate }),
});
