import type { InputShapeFromFields } from '@pothos/core';
import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, unauthenticated } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { byIdOrUsername } from '../kernel/reference.ts';
import { ifVisible } from '../kernel/results.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo, type Parent } from '../listing/listing.ts';
import { listingCost, type Page, pageArgs } from '../listing/page.ts';
import { SortDirection } from '../listing/sort.ts';
import { findProject, projectById } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { User } from '../users/types.ts';
import { eventPage } from './rows.ts';
import { type Event, EventAction, EventPage, EventTarget } from './types.ts';
import { eventsBy, eventsIn } from './visible.ts';

const listArgs = {
  ...pageArgs,
  ...builder.args((t) => ({
    action: t.field({
      type: EventAction,
      description: 'Only events with this action; null for all.',
    }),
    target: t.field({
      type: EventTarget,
      description: 'Only events with a target of this kind; null for all.',
    }),
    createdBefore: t.field({ type: 'Date', description: 'Only events before this day, in UTC.' }),
    createdAfter: t.field({ type: 'Date', description: 'Only events after this day, in UTC.' }),
    sort: t.field({
      type: SortDirection,
      defaultValue: 'desc' as const,
      description: 'The direction of the order by time.',
    }),
  })),
};

type EventFilter = Partial<InputShapeFromFields<typeof listArgs>>;

const day = 86_400_000;

function listEvents(
  { action, target, createdBefore, createdAfter, sort, ...page }: EventFilter,
  ctx: Context,
  { where, beside }: { readonly where: readonly Prisma.Sql[]; readonly beside?: Prisma.Sql },
  parent: Parent,
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
    parent,
  });
}

const listEventsBy = (userId: number, args: EventFilter, ctx: Context) =>
  listEvents(args, ctx, eventsBy(userId, ctx.viewer), belongsTo('author_id', userId));

const listEventsIn = (
  project: Awaited<ReturnType<typeof findProject>>,
  args: EventFilter,
  ctx: Context,
) =>
  listEvents(
    args,
    ctx,
    { where: eventsIn(project, ctx.viewer) },
    belongsTo('project_id', project.id),
  );

const edge = { type: EventPage, complexity: listingCost, args: listArgs } as const;

builder.prismaObjectField(User, 'events', (t) =>
  t.field({
    ...edge,
    description: 'The events of the user that the current user may see.',
    select: { id: true },
    resolve: ({ id }, args, ctx) => listEventsBy(id, args, ctx),
  }),
);

builder.prismaObjectField(Project, 'events', (t) =>
  t.field({
    ...edge,
    nullable: true,
    description: 'The events of the project that the current user may see.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ifVisible(async () => listEventsIn(await projectById(id, ctx), args, ctx)),
  }),
);

builder.queryFields((t) => ({
  events: t.field({
    type: EventPage,
    description: 'The events of the current user.',
    complexity: listingCost,
    args: listArgs,
    resolve: (_root, filterArgs, ctx) => {
      if (!ctx.viewer) throw unauthenticated();
      return listEventsBy(ctx.viewer.id, filterArgs, ctx);
    },
  }),
  userEvents: t.field({
    type: EventPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...listArgs, user: t.arg.id({ required: true }) },
    resolve: async (_root, { user: ref, ...filterArgs }, ctx) => {
      const user = await ctx.db.user.findFirst({
        where: byIdOrUsername(ref),
        select: { id: true },
      });
      if (!user) throw notFound('User');
      return listEventsBy(user.id, filterArgs, ctx);
    },
  }),
  projectEvents: t.field({
    type: EventPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...listArgs, project: t.arg.id({ required: true }) },
    resolve: async (_root, { project: ref, ...filterArgs }, ctx) => {
      const project = await findProject(ref, ctx);
      return listEventsIn(project, filterArgs, ctx);
    },
  }),
}));
