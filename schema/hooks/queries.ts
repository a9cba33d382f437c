import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { deliveriesOf } from './deliveries.ts';
import { findHook, findHookOwner } from './find.ts';
import { HookDeliveryPage, WebHook, WebHookPage } from './types.ts';

/** Omitted: the hooks of the instance, for administrators. */
const owner = builder.args((t) => ({ project: t.id() }));

builder.queryFields((t) => ({
  hooks: t.field({
    type: WebHookPage,
    description: 'The hooks of a project, for its masters, or of the instance; the oldest first.',
    complexity: listingCost,
    args: { ...owner, ...pageArgs },
    resolve: async (_root, { project, ...page }, ctx) => {
      const { projectId } = await findHookOwner(project, ctx);
      return recordPage(ctx.db.webHook, { where: { projectId }, orderBy: { id: 'asc' } }, page);
    },
  }),
  hook: t.prismaField({
    type: WebHook,
    args: { ...owner, id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { project, id }, ctx) => {
      const { projectId } = await findHookOwner(project, ctx);
      return orThrow(
        ctx.db.webHook.findFirst({ ...query, where: { id, projectId } }),
        recordNotFound,
      );
    },
  }),
  hookDeliveries: t.field({
    type: HookDeliveryPage,
    description: 'What was sent to a hook within the last seven days, the latest first.',
    complexity: listingCost,
    args: { ...owner, hook: t.arg.int({ required: true }), ...pageArgs },
    resolve: async (_root, { project, hook, ...page }, ctx) => {
      const { id } = await findHook(await findHookOwner(project, ctx), hook, ctx);
      const where = deliveriesOf(id);
      return recordPage(ctx.db.hookDelivery, { where, orderBy: { id: 'desc' } }, page);
    },
  }),
}));
