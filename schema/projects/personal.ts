import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { byIdOrUsername } from '../kernel/reference.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { listProjects, projectListArgs } from './filter.ts';
import { ProjectPage } from './types.ts';

/** The projects in a user's personal namespace that the viewer may see (v4-behaviour 2.5). */
builder.queryField('personalProjects', (t) =>
  t.field({
    type: ProjectPage,
    extensions: internal,
    complexity: listingCost,
    args: { user: t.arg.id({ required: true }), ...pageArgs, ...projectListArgs },
    resolve: async (_root, { user, ...args }, ctx) =>
      listProjects(args, ctx, belongsTo('namespace_id', await personalNamespace(user, ctx))),
  }),
);

/** The personal namespace of a user, by id or username. */
async function personalNamespace(ref: string, { db }: Context): Promise<number> {
  const user = await db.user.findFirst({
    where: byIdOrUsername(ref),
    select: { namespace: { select: { id: true } } },
  });
  if (!user?.namespace) throw notFound('User');
  return user.namespace.id;
}
