import { Prisma } from '../../prisma/client.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { anyOf, unexpiredRows } from '../kernel/sql.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { listProjects, projectListArgs } from './filter.ts';
import { ProjectPage } from './types.ts';

builder.prismaObjectFields(Group, (t) => ({
  projects: t.field({
    type: ProjectPage,
    complexity: listingCost,
    args: {
      ...pageArgs,
      ...projectListArgs,
      /** Includes projects shared with the group. */
      withShared: t.arg.boolean({ defaultValue: false }),
    },
    select: { id: true },
    resolve: ({ id }, { withShared, ...args }, ctx) => {
      const own = Prisma.sql`namespace_id = ${id}`;
      return listProjects(args, ctx, [withShared ? anyOf([own, sharedWith(id)]) : own]);
    },
  }),
  /** Projects outside the group that are shared with it. */
  sharedProjects: t.field({
    type: ProjectPage,
    complexity: listingCost,
    args: { ...pageArgs, ...projectListArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) => listProjects(args, ctx, [sharedWith(id)]),
  }),
}));

const sharedWith = (namespaceId: number): Prisma.Sql => Prisma.sql`
  id = ANY(ARRAY(
    SELECT project_id FROM project_group_links
    WHERE project_group_links.namespace_id = ${namespaceId} AND ${unexpiredRows}
  ))`;
