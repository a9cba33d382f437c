import type { Prisma } from '../../prisma/client.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { listingCost, pageArgs } from '../kernel/page.ts';
import { unexpired } from '../members/valid.ts';
import { listProjects, projectListArgs } from './filter.ts';
import { ProjectPage } from './types.ts';

builder.prismaObjectField(Group, 'projects', (t) =>
  t.field({
    type: ProjectPage,
    complexity: listingCost,
    args: {
      ...pageArgs,
      ...projectListArgs,
      /** Also what is shared with the group, and not only its own. */
      withShared: t.arg.boolean({ defaultValue: false }),
    },
    select: { id: true },
    resolve: async ({ id }, { withShared, ...args }, ctx) => {
      const own = { namespaceId: id };
      return listProjects(args, ctx, withShared ? { OR: [own, await sharedWith(id, ctx)] } : own);
    },
  }),
);

/** The projects of others that are shared with a group. */
builder.prismaObjectField(Group, 'sharedProjects', (t) =>
  t.field({
    type: ProjectPage,
    complexity: listingCost,
    args: { ...pageArgs, ...projectListArgs },
    select: { id: true },
    resolve: async ({ id }, args, ctx) => listProjects(args, ctx, await sharedWith(id, ctx)),
  }),
);

/** A list of ids is found by index beside another condition, a join is not; while it is short. */
const mostListed = 1000;

async function sharedWith(
  namespaceId: number,
  { db }: Pick<Context, 'db'>,
): Promise<Prisma.ProjectWhereInput> {
  const share = { namespaceId, ...unexpired() };
  const links = await db.projectGroupLink.findMany({
    where: share,
    select: { projectId: true },
    take: mostListed + 1,
  });
  return links.length > mostListed
    ? { groupLinks: { some: share } }
    : { id: { in: links.map(({ projectId }) => projectId) } };
}
