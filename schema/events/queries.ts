import type { InputShapeFromFields } from '@pothos/core';
import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, unauthenticated } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { byIdOrUsername } from '../kernel/reference.ts';
import { allOf } from '../kernel/sql.ts';
import { describeModel } from '../listing/described.ts';
import { belongsTo, type Parent } from '../listing/listing.ts';
import { listingCost, type Page, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { SortDirection } from '../listing/sort.ts';
import { findProject, projectById } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { User } from '../users/types.ts';
import { type Event, EventAction, EventPage, EventTargetType } from './types.ts';
import { eventsBy, eventsIn } from './visible.ts';

describeModel('Event', {
  computed: { push: ['push'], note: ['noteId'], noteableIid: ['noteId'] },
  readBy: { author: 'author' },
});

const EventFilter = builder.inputType('EventFilter', {
  description: 'Which events a listing has: those that match all fields.',
  fields: (t) => ({
    action: t.field({
      type: EventAction,
      description: 'Only events with this action; null for all.',
    }),
    targetType: t.field({
      type: EventTargetType,
      description: 'Only events with a target of this kind; null for all.',
    }),
    createdAfter: t.field({
      type: 'DateTime',
      description: 'Only events at this time or later.',
    }),
    createdBefore: t.field({
      type: 'DateTime',
      description: 'Only events at this time or earlier.',
    }),
  }),
});

const listArgs = {
  ...pageArgs,
  ...builder.args((t) => ({
    filter: t.field({ type: EventFilter, description: 'Which events the listing has.' }),
    sort: t.field({
      type: SortDirection,
      defaultValue: 'desc' as const,
      description: 'The direction of the order by time.',
    }),
  })),
};

type Filter = Partial<typeof EventFilter.$inferInput>;

type ListArgs = Partial<InputShapeFromFields<typeof listArgs>>;

const matching = ({ action, targetType, createdAfter, createdBefore }: Filter): Prisma.Sql[] => [
  ...(action ? [Prisma.sql`action = ${action}::event_action`] : []),
  ...(targetType ? [Prisma.sql`target = ${targetType}::event_target`] : []),
  ...(createdAfter ? [Prisma.sql`created_at >= ${createdAfter}`] : []),
  ...(createdBefore ? [Prisma.sql`created_at <= ${createdBefore}`] : []),
];

function listEvents(
  { filter, sort, ...page }: ListArgs,
  ctx: Context,
  { where, beside }: { readonly where: readonly Prisma.Sql[]; readonly beside?: Prisma.Sql },
  parent: Parent,
): Page<typeof Event.$inferType> {
  return pageOfRecords(ctx, {
    table: 'events',
    where: allOf([...where, ...matching(filter ?? {})]),
    ...(beside && { beside, isSearch: true }),
    column: 'created_at',
    direction: sort ?? 'desc',
    page,
    parent,
  });
}

const listEventsBy = (userId: number, args: ListArgs, ctx: Context) =>
  listEvents(args, ctx, eventsBy(userId, ctx.viewer), belongsTo('author_id', userId));

const listEventsIn = (
  project: Awaited<ReturnType<typeof findProject>>,
  args: ListArgs,
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
    description:
      'The events of the user that the current user may see, the newest first by default.',
    select: { id: true },
    resolve: ({ id }, args, ctx) => listEventsBy(id, args, ctx),
  }),
);

builder.prismaObjectField(Project, 'events', (t) =>
  t.field({
    ...edge,
    description:
      'The events of the project that the current user may see, the newest first by default.',
    select: { id: true },
    resolve: async ({ id }, args, ctx) => listEventsIn(await projectById(id, ctx), args, ctx),
  }),
);

builder.queryFields((t) => ({
  events: t.field({
    type: EventPage,
    extensions: internal,
    complexity: listingCost,
    args: listArgs,
    resolve: (_root, args, ctx) => {
      if (!ctx.viewer) throw unauthenticated();
      return listEventsBy(ctx.viewer.id, args, ctx);
    },
  }),
  userEvents: t.field({
    type: EventPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...listArgs, user: t.arg.id({ required: true }) },
    resolve: async (_root, { user: ref, ...args }, ctx) => {
      const user = await ctx.db.user.findFirst({
        where: byIdOrUsername(ref),
        select: { id: true },
      });
      if (!user) throw notFound('User');
      return listEventsBy(user.id, args, ctx);
    },
  }),
  projectEvents: t.field({
    type: EventPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...listArgs, project: t.arg.id({ required: true }) },
    resolve: async (_root, { project: ref, ...args }, ctx) => {
      const project = await findProject(ref, ctx);
      return listEventsIn(project, args, ctx);
    },
  }),
}));
