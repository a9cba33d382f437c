import { Prisma, type Project as ProjectRow } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { internal } from '../kernel/public.ts';
import { ifVisible } from '../kernel/results.ts';
import { allOf } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { memberProjects } from '../projects/find.ts';
import { Project, ProjectPage } from '../projects/types.ts';
import { runnersProjectById } from './find.ts';
import { listRunners, ofProject, runnerListArgs } from './listing.ts';
import { showableRunner } from './showable.ts';
import { Runner, RunnerPage } from './types.ts';

builder.prismaObjectField(Project, 'runners', (t) =>
  t.field({
    type: RunnerPage,
    nullable: true,
    description:
      'The runners that run jobs of the project, including shared ones if it uses them; the oldest first. Null for a user below the level of a master.',
    complexity: listingCost,
    args: { ...runnerListArgs, ...pageArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ifVisible(async () => listRunners(args, ctx, ofProject(await runnersProjectById(id, ctx)))),
  }),
);

/** The projects that the viewer is a member of; all for administrators. */
const listedFor = (viewer: Viewer): readonly Prisma.Sql[] => [
  Prisma.sql`NOT is_removed`,
  ...(viewer.isAdmin ? [] : [memberProjects(viewer)]),
];

const enabledIn = (runnerId: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`id IN (SELECT project_id FROM runner_projects WHERE runner_id = ${runnerId})`;

/** REST shows the projects of a runner without pages. */
const maxProjects = 1000;

builder.prismaObjectFields(Runner, (t) => ({
  projects: t.field({
    type: ProjectPage,
    nullable: true,
    description:
      'The projects that the runner is enabled in and that the current user is a member of, the oldest first; all for administrators. Null for a user who may not see the details of the runner.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true, isShared: true },
    resolve: (runner, page, ctx) =>
      ifVisible(async () => {
        const viewer = await showableRunner(runner, ctx);
        return pageOfRecords<ProjectRow>(ctx, {
          table: 'projects',
          parent: { id: runner.id, condition: enabledIn },
          where: allOf(listedFor(viewer)),
          column: 'id',
          direction: 'asc',
          page,
        });
      }),
  }),
  allProjects: t.prismaField({
    type: [Project],
    extensions: internal,
    description: `The same without pages: the first ${maxProjects}.`,
    complexity: listingCost({ perPage: 100 }),
    select: { id: true },
    resolve: async (query, { id }, _args, ctx) =>
      ctx.db.project.findMany({
        ...query,
        relationLoadStrategy: 'join',
        where: { id: { in: await projectIdsOf(id, ctx) }, isRemoved: false },
        orderBy: { id: 'asc' },
      }),
  }),
}));

async function projectIdsOf(runnerId: number, { db, viewer }: Context): Promise<number[]> {
  if (!viewer) return [];
  const conditions = [enabledIn(Prisma.sql`${runnerId}`), ...listedFor(viewer)];
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM projects WHERE ${allOf(conditions)} ORDER BY id LIMIT ${maxProjects}`;
  return rows.map(({ id }) => id);
}
