import { Prisma } from '../../prisma/client.ts';
import { groupsBelowOne } from '../groups/reach.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { anyOf, unexpiredRows } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { listProjects, projectListArgs } from './filter.ts';
import { ProjectPage } from './types.ts';

builder.prismaObjectFields(Group, (t) => ({
  projects: t.field({
    type: ProjectPage,
    description: 'The projects of the group that the current user may see.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      ...projectListArgs,
      includesSubgroups: t.arg.boolean({
        defaultValue: false,
        description: 'Whether the projects of subgroups, at any depth, are listed too.',
      }),
    },
    select: { id: true },
    resolve: ({ id }, { includesSubgroups, ...args }, ctx) =>
      listProjects(
        args,
        ctx,
        includesSubgroups ? { id, condition: below } : belongsTo('namespace_id', id),
      ),
  }),
  ownAndSharedProjects: t.field({
    type: ProjectPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...pageArgs, ...projectListArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) => {
      const own = belongsTo('namespace_id', id);
      const condition = (groupId: Prisma.Sql) =>
        anyOf([own.condition(groupId), sharedWith(groupId)]);
      return listProjects(args, ctx, { id, condition });
    },
  }),
  sharedProjects: t.field({
    type: ProjectPage,
    description:
      'The projects outside the group that are shared with it and that the current user may see.',
    complexity: listingCost,
    args: { ...pageArgs, ...projectListArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) => listProjects(args, ctx, { id, condition: sharedWith }),
  }),
}));

const below = (groupId: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`namespace_id IN (${groupsBelowOne(groupId)})`;

const sharedWith = (groupId: Prisma.Sql): Prisma.Sql => Prisma.sql`
  id = ANY(ARRAY(
    SELECT project_id FROM project_group_links
    WHERE project_group_links.namespace_id = ${groupId} AND ${unexpiredRows}
  ))`;
