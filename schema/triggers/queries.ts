import { builder } from '../kernel/builder.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { findTriggersProject, triggerNotFound } from './find.ts';
import { Trigger, TriggerPage } from './types.ts';

builder.queryFields((t) => ({
  triggers: t.field({
    type: TriggerPage,
    description: 'Those of a project, the oldest first; masters.',
    complexity: listingCost,
    args: { ...pageArgs, project: t.arg.id({ required: true }) },
    resolve: async (_root, { project, ...page }, ctx) => {
      const { id: projectId } = await findTriggersProject(project, ctx);
      return recordPage(ctx.db.trigger, { where: { projectId }, orderBy: { id: 'asc' } }, page);
    },
  }),
  trigger: t.prismaField({
    type: Trigger,
    args: { project: t.arg.id({ required: true }), id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { project, id }, ctx) => {
      const { id: projectId } = await findTriggersProject(project, ctx);
      return orThrow(
        ctx.db.trigger.findFirst({ ...query, where: { id, projectId } }),
        triggerNotFound,
      );
    },
  }),
}));
