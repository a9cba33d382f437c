import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findHookOwner } from './find.ts';
import { listHooks } from './listing.ts';
import { Hook, HookPage } from './types.ts';

const owner = builder.args((t) => ({
  project: t.id({
    description:
      'The project, by id or full path, for its masters. Omitted: system hooks, for administrators.',
  }),
}));

builder.queryFields((t) => ({
  hooks: t.field({
    type: HookPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...owner, ...pageArgs },
    resolve: async (_root, { project, ...page }, ctx) =>
      listHooks(await findHookOwner(project, ctx), page, ctx),
  }),
  hook: t.prismaField({
    type: Hook,
    extensions: internal,
    args: { ...owner, id: t.arg.int({ required: true, description: 'The id of the webhook.' }) },
    resolve: async (query, _root, { project, id }, ctx) => {
      const { projectId } = await findHookOwner(project, ctx);
      return orThrow(
        ctx.db.webHook.findFirst({ ...query, where: { id, projectId } }),
        recordNotFound,
      );
    },
  }),
}));
