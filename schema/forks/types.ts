import type { Project as ProjectRow } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { belongsTo } from '../listing/listing.ts';
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
    description:
      'The project that it was forked from. Null if it is no fork, and if the current user may not see that project.',
    type: Project,
    nullable: true,
    select: { forkedFromId: true },
    resolve: ({ forkedFromId }, _args, ctx) =>
      forkedFromId === null ? null : sourceOf(forkedFromId, ctx),
  }),
  forks: t.field({
    type: ProjectPage,
    description: 'The forks of the project that the current user may see.',
    complexity: listingCost,
    args: { ...pageArgs, ...projectListArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) => listProjects(args, ctx, belongsTo('forked_from_id', id)),
  }),
}));
