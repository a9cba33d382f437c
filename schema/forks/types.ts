import { Prisma, type Project as ProjectRow } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { listProjects, projectListArgs } from '../projects/filter.ts';
import { isProjectVisible, levelSelection } from '../projects/find.ts';
import { Project, ProjectPage } from '../projects/types.ts';

/** Projects by id that the viewer may see; batched, because most projects are no forks. */
const sourceOf = batched<number, ProjectRow | null>(async (ids, { db, viewer }) => {
  const { namespace, members, groupLinks } = levelSelection(viewer);
  const projects = await db.project.findMany({
    relationLoadStrategy: 'join',
    where: { id: { in: [...ids] }, isRemoved: false },
    include: { namespace, members, groupLinks },
  });
  return new Map(
    projects
      .filter((project) => isProjectVisible(viewer, project))
      .map((project) => [project.id, project]),
  );
}, null);

builder.prismaObjectFields(Project, (t) => ({
  forkedFrom: t.field({
    description: 'What it was forked from; null when that is nothing the viewer may see.',
    type: Project,
    nullable: true,
    select: { forkedFromId: true },
    resolve: ({ forkedFromId }, _args, ctx) =>
      forkedFromId === null ? null : sourceOf(forkedFromId, ctx),
  }),
  /** The forks of a project that the viewer may see. */
  forks: t.field({
    type: ProjectPage,
    complexity: listingCost,
    args: { ...pageArgs, ...projectListArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) => listProjects(args, ctx, [Prisma.sql`forked_from_id = ${id}`]),
  }),
}));
