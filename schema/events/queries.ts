import type { InputShapeFromFields } from '@pothos/core';
import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, unauthenticated } from '../kernel/errors.ts';
import { byIdOrUsername } from '../kernel/reference.ts';
import { allOf } from '../kernel/sql.ts';
import { listingCost, type Page, pageArgs } from '../listing/page.ts';
import { SortDirection } from '../projects/filter.ts';
import { findProject } from '../projects/find.ts';
import { eventPage } from './rows.ts';
import { type Event, EventAction, EventPage, EventTarget } from './types.ts';
import { eventsBy, eventsIn } from './visible.ts';

const listArgs = {
  ...pageArgs,
  ...builder.args((t) => ({
    action: t.field({ type: EventAction }),
    target: t.field({ type: EventTarget }),
    createdBefore: t.field({ type: 'Date', description: 'Only events before this day, in UTC.' }),
    createdAfter: t.field({ type: 'Date', description: 'Only events after this day, in UTC.' }),
    sort: t.field({ type: SortDirection, defaultValue: 'desc' as const }),
  })),
};

type EventFilter = Partial<InputShapeFromFields<typeof listArgs>>;

const day = 86_400_000;

function listEvents(
  { action, target, createdBefore, createdAfter, sort, ...page }: EventFilter,
  ctx: Context,
  { where, beside }: { readonly where: readonly Prisma.Sql[]; readonly beside?: Prisma.Sql },
): Page<typeof Event.$inferType> {
  return eventPage(ctx, {
    table: 'events',
    where: allOf([
      ...where,
      ...(action ? [Prisma.sql`action = ${action}::event_action`] : []),
      ...(target ? [Prisma.sql`target = ${target}::event_target`] : []),
      ...(createdBefore ? [Prisma.sql`created_at < ${createdBefore}`] : []),
      ...(createdAfter
        ? [Prisma.sql`created_at >= ${new Date(createdAfter.getTime() + day)}`]
        : []),
    ]),
    ...(beside && { beside, isSearch: true }),
    column: 'created_at',
    direction: sort ?? 'desc',
    page,
  });
}

builder.queryFields((t) => ({
  events: t.field({
    type: EventPage,
    description: 'What the viewer did.',
    complexity: listingCost,
    args: listArgs,
    resolve: (_root, filterArgs, ctx) => {
      if (!ctx.viewer) throw unauthenticated();
      return listEvents(filterArgs, ctx, eventsBy(ctx.viewer.id, ctx.viewer));
    },
  }),
  userEvents: t.field({
    type: EventPage,
    description: 'The events of a user that the viewer may see.',
    complexity: listingCost,
    args: { ...listArgs, user: t.arg.id({ required: true }) },
    resolve: async (_root, { user: ref, ...filterArgs }, ctx) => {
      const user = await ctx.db.user.findFirst({
        where: byIdOrUsername(ref),
        select: { id: true },
      });
      if (!user) throw notFound('User');
      return listEvents(filterArgs, ctx, eventsBy(user.id, ctx.viewer));
    },
  }),
  projectEvents: t.field({
    type: EventPage,
    description: 'What was done in a project, as far as the viewer may see it.',
    complexity: listingCost,
    args: { ...listArgs, project: t.arg.id({ required: true }) },
    resolve: async (_root, { project: ref, ...filterArgs }, ctx) => {
      const project = await findProject(ref, ctx);
      return listEvents(filterArgs, ctx, { where: eventsIn(project, ctx.viewer) });
    },
  }),
}));
