import { builder } from '../kernel/builder.ts';
import { given } from '../kernel/given.ts';
import { endingWith } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { storedRecord } from '../listing/records.ts';
import { findGroupOrProject, sourceArgs } from '../projects/group-or-project.ts';
import { createMilestone, deleteMilestone, updateMilestone } from './change.ts';
import { byMilestone } from './node.ts';
import { canAdminMilestones } from './policy.ts';
import { StateEvent } from './state-event.ts';
import { Milestone } from './types.ts';

const milestoneArgs = builder.args((t) => ({
  id: t.int({ required: true, description: 'The id of the milestone.' }),
}));

const title = 'The title, unique in the group or project.';

const details = builder.args((t) => ({
  description: t.string({
    description: 'The description in Markdown.',
    extensions: endingWith({ updating: 'Null clears it.' }),
  }),
  startDate: t.field({
    type: 'Date',
    description: 'The day on which the milestone starts; null for none.',
  }),
  dueDate: t.field({
    type: 'Date',
    description: 'The day by which the milestone is due, not before the start; null for none.',
  }),
}));

const stateAfter = { close: 'closed', reopen: 'active' } as const;

const clearable = ['description', 'startDate', 'dueDate'] as const;

builder.mutationFields((t) => ({
  createMilestone: t.prismaField({
    type: Milestone,
    description:
      'Creates a milestone of a group or project. Requires the access level DEVELOPER or higher.',
    args: {
      ...sourceArgs,
      ...details,
      title: t.arg.string({ required: true, description: title }),
    },
    resolve: async (query, _root, { source: ref, title, ...details }, ctx) => {
      const source = await findGroupOrProject(ref, ctx, canAdminMilestones);
      const id = await createMilestone(source, { title, ...given(details, clearable) }, ctx);
      return storedRecord(ctx, 'milestone', id, query);
    },
  }),
  updateMilestone: t.prismaField({
    extensions: byMilestone,
    type: Milestone,
    description:
      'Changes a milestone; absent fields stay as they are. Requires the access level DEVELOPER or higher.',
    args: {
      ...sourceArgs,
      ...milestoneArgs,
      ...details,
      title: t.arg.string({ description: title }),
      stateEvent: t.arg({ type: StateEvent, description: 'Closes or reopens the milestone.' }),
    },
    resolve: async (query, _root, { source: ref, id, stateEvent, ...input }, ctx) => {
      const source = await findGroupOrProject(ref, ctx, canAdminMilestones);
      const state = stateEvent && stateAfter[stateEvent];
      await updateMilestone(source, id, given({ ...input, state }, clearable), ctx);
      return storedRecord(ctx, 'milestone', id, query);
    },
  }),
  deleteMilestone: t.id({
    extensions: { ...byMilestone, identifies: 'Milestone' },
    description:
      'Deletes a milestone and removes it from its issues and merge requests. Requires the access level DEVELOPER or higher.',
    args: { ...sourceArgs, ...milestoneArgs },
    resolve: async (_root, { source: ref, id }, ctx) =>
      done(deleteMilestone(await findGroupOrProject(ref, ctx, canAdminMilestones), id, ctx), id),
  }),
}));
