import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findTriggersProject, triggerNotFound } from './find.ts';
import { listTriggers } from './listing.ts';
import { Trigger, TriggerPage } from './types.ts';

const projectArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project, by id or full path.' }),
}));

builder.queryFields((t) => ({
  triggers: t.field({
    type: TriggerPage,
    extensions: internal,
    description: 'The triggers of a project, the oldest first. Masters only.',
    complexity: listingCost,
    args: { ...pageArgs, ...projectArgs },
    resolve: async (_root, { project, ...page }, ctx) => {
      const { id: projectId } = await findTriggersProject(project, ctx);
      return listTriggers(projectId, page, ctx);
    },
  }),
  trigger: t.prismaField({
    type: Trigger,
    extensions: internal,
    args: {
      ...projectArgs,
      id: t.arg.int({ required: true, description: 'The id of the trigger.' }),
    },
    resolve: async (query, _root, { project, id }, ctx) => {
      const { id: projectId } = await findTriggersProject(project, ctx);
      return orThrow(
        ctx.db.trigger.findFirst({ ...query, where: { id, projectId } }),
        triggerNotFound,
      );
    },
  }),
}));
